/** A text in which one part, e.g. an order number, wraps at its hyphens only if it is longer than a line. */
export function Unbroken({ text, part }: { text: string; part: string }) {
  const [before, after] = text.split(part);
  return (
    <>
      {before}
      <span className="inline-block">{part}</span>
      {after}
    </>
  );
}
