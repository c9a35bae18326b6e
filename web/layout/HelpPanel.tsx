import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { keptMessage } from "../features/contact/kept-message.ts";
import { HelpAnswers } from "../features/help/HelpAnswers.tsx";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { Button } from "../ui/Button.tsx";
import { Loading } from "../ui/Loading.tsx";
import { SidePanel } from "../ui/SidePanel.tsx";

const HelpForm = lazyPart(() => import("./HelpForm.tsx"));

/** Renders the help panel: searchable answers and a contact form. */
export default function HelpPanel() {
  const { t } = useTranslation("help");
  const [writing, setWriting] = useState(() => keptMessage.read() !== undefined);
  return (
    <SidePanel open title={t("title")}>
      <div className="grid gap-8">
        <HelpAnswers />
        <section aria-labelledby="help-write" className="grid justify-items-start gap-3">
          <h3 id="help-write" className="font-serif text-xl">
            {t("write.title")}
          </h3>
          <p className="text-ink-soft">{t("write.text")}</p>
          {writing ? (
            <Suspense fallback={<Loading />}>
              <HelpForm />
            </Suspense>
          ) : (
            <Button variant="quiet" onClick={() => setWriting(true)}>
              {t("write.open")}
            </Button>
          )}
        </section>
      </div>
    </SidePanel>
  );
}
