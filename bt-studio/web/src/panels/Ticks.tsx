// A text with code in backticks, as documentation has it.

export function Ticks({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
