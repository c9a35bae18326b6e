import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { ConfigError } from "../lib/browser/config.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { FailureScreen } from "./FailureScreen.tsx";

// Separate, because only operators see it and every page would load its texts.
const ConfigurationError = lazyPart(() => import("./ConfigurationError.tsx"));

/** Renders why the app could not start: the names of missing or invalid settings, or another error (Spec §2). */
export function StartFailure({ error }: { error: unknown }) {
  const { t } = useTranslation("layout");
  if (error instanceof ConfigError) {
    return (
      <Suspense>
        <ConfigurationError error={error} />
      </Suspense>
    );
  }
  const detail = error instanceof Error ? error.message : String(error);
  return <FailureScreen title={t("applicationError.title")} text={t("applicationError.text")} detail={detail} />;
}
