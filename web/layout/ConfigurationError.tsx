import { useTranslation } from "react-i18next";
import type { ConfigError } from "../lib/browser/config.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { Button } from "../ui/Button.tsx";

/** Renders the names of missing or invalid settings (Spec §2). */
export default function ConfigurationError({ error }: { error: ConfigError }) {
  const { t } = useTranslation("configuration");
  usePageTitle(t("title"));
  return (
    <main className="mx-auto grid min-h-dvh max-w-2xl content-center gap-6 px-5 py-12" role="alert">
      <h1 className="font-serif text-3xl sm:text-4xl">{t("title")}</h1>
      <p>{t("text")}</p>
      <ul className="grid gap-3">
        {error.problems.map((problem) => (
          <li key={problem} className="rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
            {t(problem)} <code className="text-sm">{problem}</code>
          </li>
        ))}
      </ul>
      <Button className="justify-self-start" onClick={() => location.reload()}>
        {t("retry")}
      </Button>
    </main>
  );
}
