import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { ReceivedFiles } from "../features/received/ReceivedFiles.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { type ReceivedFile, receivedFiles } from "../media/uploads/received-files.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";

/** /add: puts files into a memory that another app, e.g. the phone's gallery, has shared with Skies. */
export default function AddPage() {
  const { t } = useTranslation("received");
  const [parameters] = useSearchParams();
  const [received, setReceived] = useState<readonly ReceivedFile[]>();
  usePageTitle(t("title"));
  useEffect(() => {
    // A browser that stores nothing has received nothing.
    void receivedFiles().then(setReceived, () => setReceived([]));
  }, []);

  if (!received) return null;
  const isLost = parameters.has("lost");
  if (received.length === 0) {
    const state = isLost ? "lost" : "empty";
    return (
      <Empty page picture="photos" title={t(`${state}Title`)} text={t(`${state}Text`)}>
        <Button asChild variant="quiet">
          <Link to={paths.start()}>{t("memories")}</Link>
        </Button>
      </Empty>
    );
  }
  return (
    <div className="page-width grid gap-6 pt-8 pb-16 sm:pt-12">
      <h1 className="font-serif text-4xl sm:text-5xl">{t("title")}</h1>
      {isLost && (
        <p role="alert" className="max-w-2xl">
          <strong>{t("lostTitle")}.</strong> {t("lostText")}
        </p>
      )}
      <ReceivedFiles received={received} onDiscarded={() => setReceived([])} />
    </div>
  );
}
