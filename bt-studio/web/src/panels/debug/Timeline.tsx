// What happened when: a strip with a lane for each kind of thing. One drags along it to see any moment.

import { useCallback, useEffect, useRef } from "react";
import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { isLive } from "../../model/game/state.ts";
import { seconds } from "../../model/game/times.ts";
import type { Bucket } from "../../net/protocol.ts";
import { useApp, useUi } from "../app-context.ts";
import { hideTip, showTip } from "../Canvas.tsx";
import { Do, useGame } from "./parts.tsx";

const LANES = ["records", "failures", "aborts", "writes", "stops", "problems"] as const;
type Lane = (typeof LANES)[number];
const LABELS = 74;
const LANE = 12;
const AXIS = 14;
const COLORS: Record<Lane, string> = {
  records: "--accent",
  failures: "--error",
  aborts: "--weak",
  writes: "--group-tree",
  stops: "--stop",
  problems: "--warning",
};

export function Timeline() {
  const app = useApp();
  const { game } = app;
  const canvas = useRef<HTMLCanvasElement>(null);
  const buckets = useGame((state) => state.buckets);
  const moment = useGame((state) => state.moment);
  const history = useGame((state) => state.history);
  const range = useGame((state) => state.range);
  const isNow = useGame(isLive);
  const at = useGame((state) => state.at);
  const theme = useUi((ui) => ui.theme);
  const focus = useUi((ui) => ui.focus);
  const dragged = useRef(false);

  useEffect(() => game.lookAtTimeline(), [game]);
  useEffect(() => {
    if (focus.part === "time" && focus.count > 0) canvas.current?.focus();
  }, [focus]);

  const from = range?.from ?? history?.first_poll ?? 0;
  const to = range?.to ?? (history ? history.first_poll + history.polls : 1);
  const place = moment?.place ?? 0;

  const draw = useCallback(() => {
    void theme;
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || element.clientWidth === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = element;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintStrip(context, element, width, height, { buckets, from, to, place, isNow });
  }, [buckets, from, to, place, isNow, theme]);

  useEffect(draw, [draw]);
  useEffect(() => {
    const observer = new ResizeObserver(draw);
    observer.observe(canvas.current!);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", draw);
    };
  }, [draw]);

  const bucketAt = (x: number, width: number): Bucket | undefined => {
    const wanted = from + (Math.max(0, x - LABELS) / Math.max(1, width - LABELS)) * (to - from);
    let found = buckets[0];
    for (const bucket of buckets) {
      if (bucket.place > wanted) break;
      found = bucket;
    }
    return found;
  };
  const seek = (event: React.PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const bucket = bucketAt(event.clientX - box.left, box.width);
    if (bucket) game.seek(bucket.first + Math.max(1, bucket.records) - 1);
  };
  const zoom = (factor: number, x: number, width: number) => {
    const middle = from + (Math.max(0, x - LABELS) / Math.max(1, width - LABELS)) * (to - from);
    game.zoom(zoomedRange({ from, to }, factor, middle, wholeOf(history)));
  };

  return (
    <div className="timeline">
      <canvas
        ref={canvas}
        className="strip"
        tabIndex={0}
        role="slider"
        data-scope="time"
        aria-label={t("time.label")}
        aria-valuemin={from}
        aria-valuemax={Math.max(from, to - 1)}
        aria-valuenow={place}
        aria-valuetext={
          moment
            ? t("time.at", { time: seconds(moment.ns), poll: moment.poll, now: isNow ? t("time.now") : "" })
            : ""
        }
        onPointerDown={(event) => {
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
          dragged.current = true;
          seek(event);
        }}
        onPointerMove={(event) => {
          if (dragged.current) {
            hideTip();
            seek(event);
            return;
          }
          const box = event.currentTarget.getBoundingClientRect();
          const bucket = bucketAt(event.clientX - box.left, box.width);
          if (bucket) showTip(wordsOf(bucket), event.clientX, event.clientY);
        }}
        onPointerLeave={hideTip}
        onPointerUp={() => {
          dragged.current = false;
        }}
        onPointerCancel={() => {
          dragged.current = false;
        }}
        onWheel={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          zoom(event.deltaY > 0 ? 1.25 : 0.8, event.clientX - box.left, box.width);
        }}
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey) return;
          const width = event.currentTarget.clientWidth;
          const x = LABELS + ((place - from) / Math.max(1, to - from)) * (width - LABELS);
          const what = event.shiftKey ? "record" : "poll";
          if (event.key === "ArrowLeft" || event.key === "ArrowDown") run(`previous-${what}`, app);
          else if (event.key === "ArrowRight" || event.key === "ArrowUp") run(`next-${what}`, app);
          else if (event.key === "Home") game.seek(history?.first ?? 0);
          else if (event.key === "End") run("live", app);
          else if (event.key === "+" || event.key === "=") zoom(0.5, x, width);
          else if (event.key === "-") zoom(2, x, width);
          else if (event.key === "0") game.zoom(null);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div className="time-tools">
        <Do id="previous-poll" sign="◀" />
        <button
          type="button"
          className="do"
          aria-label={t("command.freeze")}
          aria-pressed={at !== null}
          data-tip={t("command.freeze")}
          onClick={() => run("freeze", app)}
        >
          {at === null ? "‖" : "▶"}
        </button>
        <Do id="next-poll" sign="▶" />
        {range && (
          <button type="button" className="small" onClick={() => game.zoom(null)}>
            {t("time.all")}
          </button>
        )}
      </div>
    </div>
  );
}

function wholeOf(history: { first_poll: number; polls: number } | null): { from: number; to: number } {
  return { from: history?.first_poll ?? 0, to: history ? history.first_poll + history.polls : 1 };
}

/** Fewer or more polls around one of them; null for all. */
export function zoomedRange(
  now: { from: number; to: number },
  factor: number,
  middle: number,
  whole: { from: number; to: number },
): { from: number; to: number } | null {
  const wide = Math.max(8, Math.round((now.to - now.from) * factor));
  if (wide >= whole.to - whole.from) return null;
  const part = (middle - now.from) / Math.max(1, now.to - now.from);
  const from = Math.round(Math.max(whole.from, Math.min(whole.to - wide, middle - part * wide)));
  return { from, to: from + wide };
}

function wordsOf(bucket: Bucket): string {
  const parts = [
    seconds(bucket.ns),
    t("time.polls", { count: bucket.polls }),
    ...LANES.filter((lane) => bucket[lane] > 0).map((lane) => `${t(`time.${lane}`)}: ${bucket[lane]}`),
  ];
  return parts.join("\n");
}

interface Strip {
  buckets: Bucket[];
  from: number;
  to: number;
  place: number;
  isNow: boolean;
}

function paintStrip(
  context: CanvasRenderingContext2D,
  element: Element,
  width: number,
  height: number,
  { buckets, from, to, place, isNow }: Strip,
): void {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim() || "#888";
  context.fillStyle = color("--panel");
  context.fillRect(0, 0, width, height);
  context.font = `11px ${style.fontFamily}`;
  context.textBaseline = "middle";
  const room = width - LABELS - 6;
  const scale = room / Math.max(1, to - from);
  LANES.forEach((lane, row) => {
    const top = row * (LANE + 2) + 2;
    context.fillStyle = color("--raised");
    context.fillRect(LABELS, top, room, LANE);
    context.fillStyle = color("--weak");
    context.fillText(t(`time.${lane}`), 6, top + LANE / 2 + 0.5);
    const most = buckets.reduce((most, bucket) => Math.max(most, bucket[lane]), 1);
    context.fillStyle = color(COLORS[lane]);
    for (const bucket of buckets) {
      const value = bucket[lane];
      if (value === 0) continue;
      const x = LABELS + (bucket.place - from) * scale;
      const wide = Math.max(1.5, bucket.polls * scale - (bucket.polls * scale > 4 ? 1 : 0));
      const tall = lane === "records" ? Math.max(2, Math.sqrt(value / most) * LANE) : LANE - 2;
      context.fillRect(x, top + LANE - tall, wide, tall);
    }
  });
  const bottom = LANES.length * (LANE + 2) + 2;
  context.fillStyle = color("--weak");
  paintAxis(context, buckets, from, scale, bottom + AXIS / 2, width);
  const x = LABELS + (place + 0.5 - from) * scale;
  if (x >= LABELS - 1 && x <= width) {
    context.strokeStyle = color(isNow ? "--active" : "--found");
    context.lineWidth = 2;
    if (!isNow) context.setLineDash([5, 3]);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, bottom);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    context.moveTo(x - 5, 0);
    context.lineTo(x + 5, 0);
    context.lineTo(x, 7);
    context.fill();
  }
}

/** Times below the lanes, as many as have room. */
function paintAxis(
  context: CanvasRenderingContext2D,
  buckets: readonly Bucket[],
  from: number,
  scale: number,
  y: number,
  width: number,
): void {
  let free = LABELS;
  for (const bucket of buckets) {
    const x = LABELS + (bucket.place - from) * scale;
    if (x < free) continue;
    const text = `${(bucket.ns / 1e9).toFixed(1)} s`;
    const wide = context.measureText(text).width;
    if (x + wide > width) break;
    context.fillRect(x, y - AXIS / 2 - 1, 1, 4);
    context.fillText(text, x + 3, y + 1);
    free = x + wide + 70;
  }
}
