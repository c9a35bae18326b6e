/** A text in which one part, e.g. an order number, does not wrap at its hyphens. */
export function Unbroken({ text, part }: { text: string; part: string }) {
  const [before, after] = text.split(part);
  return (
    <>
      {before}
      <span className="whitespace-nowrap">{part}</span>
      {after}
    </>
  );
}
