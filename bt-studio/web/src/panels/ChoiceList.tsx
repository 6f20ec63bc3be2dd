// The rows of a list from which one chooses, under the titles of their parts if they have such.

import type { Choice } from "../model/ui.ts";

interface Props {
  /** The start of the rows' ids. */
  id: string;
  label: string;
  choices: readonly Choice[];
  /** Whether the parts have titles. */
  isGrouped: boolean;
  /** The row that Enter takes. */
  at: number;
  take: (place: number) => void;
  /** A row is pressed, and may be dragged. */
  press?: (event: React.PointerEvent, choice: Choice) => void;
  /** The end is in sight. */
  more?: () => void;
}

export function ChoiceList({ id, label, choices, isGrouped, at, take, press, more }: Props) {
  const parts: { title: string; from: number; choices: Choice[] }[] = [];
  choices.forEach((choice, place) => {
    const title = (isGrouped && choice.section) || "";
    const last = parts.at(-1);
    if (last && last.title === title) last.choices.push(choice);
    else parts.push({ title, from: place, choices: [choice] });
  });
  const row = (choice: Choice, place: number) => (
    <Row
      key={choice.id}
      id={`${id}-${place}`}
      choice={choice}
      isActive={place === at}
      take={() => take(place)}
      press={press}
    />
  );
  return (
    <div
      id={`${id}-list`}
      className="choice-list"
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      onScroll={(event) => {
        const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
        if (scrollTop + clientHeight > scrollHeight - 200) more?.();
      }}
    >
      {parts.map(({ title, from, choices: own }) =>
        title === "" ? (
          own.map((choice, place) => row(choice, from + place))
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: no other element may stand between a list and its options
          <div role="group" aria-label={title} key={`${title}:${from}`}>
            <div className="section" aria-hidden="true">
              {title}
            </div>
            {own.map((choice, place) => row(choice, from + place))}
          </div>
        ),
      )}
    </div>
  );
}

interface RowProps {
  id: string;
  choice: Choice;
  isActive: boolean;
  take: () => void;
  press: Props["press"];
}

function Row({ id, choice, isActive, take, press }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="choice-row"
      onClick={take}
      onPointerDown={press && ((event) => press(event, choice))}
      data-tip={[choice.name, choice.code, choice.detail].filter(Boolean).join("\n")}
    >
      {choice.symbol !== undefined && (
        <span className="symbol" data-group={choice.group} aria-hidden="true">
          {choice.symbol}
        </span>
      )}
      <span className="name">{choice.name}</span>
      {choice.code && <code>{choice.code}</code>}
      <span className="detail">{choice.detail}</span>
      {choice.keys && <kbd>{choice.keys}</kbd>}
    </div>
  );
}
