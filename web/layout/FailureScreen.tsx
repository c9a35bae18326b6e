import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { reloadAnew } from "../lib/browser/renewed-files.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { SkyMessage } from "./SkyMessage.tsx";

interface FailureScreenProps {
  title: string;
  text: string;
  /** The error's own message. */
  detail?: string;
  children?: ReactNode;
}

/** Renders a fatal error. Its buttons reload the page, because the running code may be broken. */
export function FailureScreen({ title, text, detail, children }: FailureScreenProps) {
  const { t } = useTranslation("layout");
  usePageTitle(title);
  return (
    <div role="alert" className="grid min-h-dvh place-content-center">
      <SkyMessage title={title} text={text} detail={detail}>
        {children ?? (
          <>
            <Button onClick={reloadAnew}>{t("refresh")}</Button>
            <Button variant="quiet" onClick={() => location.assign(paths.start())}>
              {t("goHome")}
            </Button>
          </>
        )}
      </SkyMessage>
    </div>
  );
}
