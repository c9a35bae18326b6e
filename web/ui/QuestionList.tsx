import { ChevronDown } from "lucide-react";

export interface Question {
  ask: string;
  answer: string;
}

/** A section with a heading and collapsible answers. */
export function QuestionList({
  id,
  title,
  questions,
}: {
  /** The id of the heading. */
  id: string;
  title: string;
  questions: Question[];
}) {
  return (
    <section aria-labelledby={id} className="mx-auto grid w-full max-w-3xl gap-8">
      <h2 id={id} className="text-center font-serif text-3xl sm:text-4xl">
        {title}
      </h2>
      <Questions questions={questions} />
    </section>
  );
}

/** Questions with collapsible answers. */
export function Questions({ questions }: { questions: Question[] }) {
  return (
    <div className="border-t border-line">
      {questions.map(({ ask, answer }) => (
        <details key={ask} className="group border-b border-line">
          <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-4 py-4 text-lg font-semibold hover:text-deep [&::-webkit-details-marker]:hidden">
            {ask}
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 transition-transform duration-200 ease-out group-open:rotate-180"
            />
          </summary>
          <p className="max-w-prose pb-6 text-ink-soft">{answer}</p>
        </details>
      ))}
    </div>
  );
}
