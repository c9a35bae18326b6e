import { useLocation } from "react-router";
import { LetterScreen } from "../features/letters/LetterScreen.tsx";
import { LanguageSwitch } from "../layout/LanguageSwitch.tsx";
import { Wordmark } from "../ui/Wordmark.tsx";

/** `/answer#{key}`: the page of a person who is asked about photos, without an account. */
export default function AnswerPage() {
  const key = useLocation().hash.slice(1);
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-6xl grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4 sm:gap-8 sm:px-6">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <Wordmark />
        <LanguageSwitch />
      </header>
      <main>
        <LetterScreen key={key} letterKey={key} />
      </main>
    </div>
  );
}
