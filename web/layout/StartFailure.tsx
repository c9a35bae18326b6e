import { useTranslation } from "react-i18next";
import { ConfigError } from "../lib/browser/config.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { Button } from "../ui/Button.tsx";
import { FailureScreen } from "./FailureScreen.tsx";

/** Renders why the app could not start: the names of missing or invalid settings, or another error (Spec §2). */
export function StartFailure({ error }: { error: unknown }) {
  const { t } = useTranslation("layout");
  if (error instanceof ConfigError) return <ConfigurationError error={error} />;
  const detail = error instanceof Error ? error.message : String(error);
  return <FailureScreen title={t("applicationError.title")} text={t("applicationError.text")} detail={detail} />;
}

function ConfigurationError({ error }: { error: ConfigError }) {
  const { t } = useTranslation("layout");
  usePageTitle(t("configuration.title"));
  return (
    <main className="mx-auto grid min-h-dvh max-w-2xl content-center gap-6 px-5 py-12" role="alert">
      <h1 className="font-serif text-3xl sm:text-4xl">{t("configuration.title")}</h1>
      <p>{t("configuration.text")}</p>
      <ul className="grid gap-3">
        {error.problems.map((problem) => (
          <li key={problem} className="rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
            {t(`configuration.${problem}`)} <code className="text-sm">{problem}</code>
          </li>
        ))}
      </ul>
      <Button className="justify-self-start" onClick={() => location.reload()}>
        {t("configuration.retry")}
      </Button>
    </main>
  );
}
