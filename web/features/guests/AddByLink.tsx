import "../../i18n/namespaces/guests.ts";
import "../../i18n/namespaces/media.ts";
import "../../i18n/namespaces/plans.ts";
import { Feather } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { useGuest } from "../../lib/session/guest.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";
import { Button } from "../../ui/Button.tsx";
import { GuestUploads } from "./GuestUploads.tsx";

/** Where whoever came by a link that lets them adds photos and words: under their account, or under a name they give once. */
export default function AddByLink({ share }: { share: OpenedShareContext & { memoryId: string } }) {
  const { t } = useTranslation("guests");
  const { session } = share;
  const { guest, askName } = useGuest();
  const person = claimsIn(session.token).sub;
  return (
    <section
      aria-label={t("add.title")}
      className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-3xl border border-line bg-raised p-5 sm:p-6 print:hidden"
    >
      {guest ? (
        <GuestUploads key={guest.id} share={share} by={{ id: guest.id, column: "guest_id" }}>
          <p className="flex flex-wrap items-center gap-x-3">
            <span className="wrap-anywhere">{t("add.as", { name: guest.name })}</span>
            <Button variant="plain" size="small" onClick={askName}>
              {t("add.rename")}
            </Button>
          </p>
        </GuestUploads>
      ) : typeof person === "string" ? (
        <GuestUploads key={person} share={share} by={{ id: person, column: "user_id" }} />
      ) : (
        <div className="grid justify-items-start gap-3">
          <h2 className="font-serif text-2xl">{t("add.title")}</h2>
          <p className="text-ink-soft">{t("add.text")}</p>
          <Button onClick={askName}>
            <Feather aria-hidden className="size-5" />
            {t("add.start")}
          </Button>
        </div>
      )}
    </section>
  );
}
