// A list of very many rows of one height, of which only those in view are there.

import { type ReactNode, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";

/** Browsers cap heights; a longer list scrolls in larger steps. */
const MOST = 12_000_000;
const SPARE = 6;

export interface RowsHandle {
  show: (at: number) => void;
  focus: () => void;
}

interface Props {
  count: number;
  height: number;
  row: (at: number) => ReactNode;
  label: string;
  role: "listbox" | "tree";
  /** The row that keys act on. */
  active: number;
  activeId: string | undefined;
  scope: string;
  onKeyDown: (event: React.KeyboardEvent) => void;
  /** The end stays in view while rows are added, until somebody scrolls away from it. */
  tail?: boolean;
  onTail?: (tail: boolean) => void;
  ref?: React.Ref<RowsHandle>;
  className?: string;
}

export function Rows(props: Props) {
  const { count, height, tail } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const own = useRef(0);
  const all = count * height;
  const tall = Math.min(all, MOST);
  const hidden = Math.max(0, tall - view.height);
  // What one pixel of the scroll bar means in rows' pixels.
  const scale = hidden > 0 ? Math.max(0, all - view.height) / hidden : 1;
  // The end comes into view as rows are added, and not when the browser has said so.
  const top = tail ? hidden : view.top;
  const offset = Math.min(top, hidden) * scale;
  const first = Math.max(0, Math.floor(offset / height) - SPARE);
  const last = Math.min(count, Math.ceil((offset + view.height) / height) + SPARE);

  useLayoutEffect(() => {
    const element = frame.current!;
    const read = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    read();
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = frame.current!;
    if (!tail) return;
    own.current = Math.max(0, tall - element.clientHeight);
    element.scrollTop = own.current;
  });

  useImperativeHandle(props.ref, () => ({
    focus: () => frame.current?.focus(),
    show: (at) => {
      const element = frame.current;
      if (!element) return;
      const room = element.clientHeight;
      const now = Math.min(element.scrollTop, Math.max(0, tall - room)) * scale;
      const top = at * height;
      let next = now;
      if (top < now) next = top;
      else if (top + height > now + room) next = top + height - room;
      if (next !== now) element.scrollTop = next / scale;
    },
  }));

  const rows: ReactNode[] = [];
  for (let at = first; at < last; at++) {
    rows.push(
      <div
        key={at}
        role="presentation"
        className="at"
        ref={(element) => {
          if (element) element.style.transform = `translateY(${top + at * height - offset}px)`;
        }}
      >
        {props.row(at)}
      </div>,
    );
  }
  const acts = {
    role: props.role,
    tabIndex: 0,
    "aria-label": props.label,
    "aria-activedescendant": props.active >= first && props.active < last ? props.activeId : undefined,
    "data-scope": props.scope,
    onKeyDown: props.onKeyDown,
    onScroll: (event: React.UIEvent<HTMLDivElement>) => {
      const element = event.currentTarget;
      setView({ top: element.scrollTop, height: element.clientHeight });
      if (!props.onTail) return;
      const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 2;
      if (Math.abs(element.scrollTop - own.current) > 1 && !isAtEnd) props.onTail(false);
    },
  };
  return (
    <div ref={frame} className={`virtual ${props.className ?? ""}`} {...acts}>
      <div
        role="presentation"
        className="sized"
        ref={(element) => {
          if (element) element.style.height = `${tall}px`;
        }}
      >
        {rows}
      </div>
    </div>
  );
}

/** The keys of every list: arrows, pages, both ends. The new place, or null for other keys. */
export function stepped(event: React.KeyboardEvent, at: number, count: number, page = 10): number | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  const last = count - 1;
  switch (event.key) {
    case "ArrowDown":
      return Math.min(last, at + 1);
    case "ArrowUp":
      return Math.max(0, at - 1);
    case "PageDown":
      return Math.min(last, at + page);
    case "PageUp":
      return Math.max(0, at - page);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}

/** Keeps the row that keys act on in view. */
export function useShown(ref: React.RefObject<RowsHandle | null>, at: number): void {
  useEffect(() => {
    if (at >= 0) ref.current?.show(at);
  }, [ref, at]);
}
