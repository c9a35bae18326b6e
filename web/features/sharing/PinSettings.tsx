import { Lock, LockOpen, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/locale.ts";
import { requestAsUser, supabase } from "../../lib/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toasts.tsx";
import { PinBoxes } from "./PinBoxes.tsx";
import { type ShareLink, useSetPin } from "./sharing.queries.ts";

/** Sets, changes and removes a link's PIN, and says whom each of these shuts out. */
export function PinSettings({ link }: { link: ShareLink }) {
  const { t, i18n } = useTranslation("sharing");
  const [asking, setAsking] = useState<"new" | "remove">();
  const [pin, setPin] = useState("");
  const set = useSetPin(supabase, link, requestAsUser);
  const lockedUntil = link.locked_until ? new Date(link.locked_until) : undefined;
  const locked = lockedUntil && lockedUntil.getTime() > Date.now();

  const close = () => {
    setAsking(undefined);
    setPin("");
    set.reset();
  };
  const save = (value: string | null) => {
    if (set.isPending) return;
    const title = value === null ? t("pin.wasRemoved") : link.has_pin ? t("pin.wasUpdated") : t("pin.wasSet");
    set.mutate(value, {
      onSuccess: () => {
        close();
        toast({ title, tone: "success" });
      },
    });
  };
  const note = asking === "remove" ? t("pin.removeNote") : link.has_pin ? t("pin.updateNote") : t("pin.setNote");

  return (
    <section aria-labelledby="pin-title" className="grid gap-4 border-t border-line pt-6">
      <div className="flex items-start gap-3">
        {link.has_pin ? (
          <Lock aria-hidden className="mt-0.5 size-5 shrink-0 text-deep" />
        ) : (
          <LockOpen aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
        )}
        <div>
          <h3 id="pin-title" className="font-semibold">
            {t("pin.title")}
          </h3>
          <p className="text-ink-soft">{link.has_pin ? t("pin.on") : t("pin.off")}</p>
        </div>
      </div>
      {locked && (
        <p role="status" className="flex gap-3 rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {t("pin.locked", {
            time: new Intl.DateTimeFormat(localeOf(i18n.language), { timeStyle: "short" }).format(lockedUntil),
          })}
        </p>
      )}
      {set.isError && (
        <p role="alert" className="text-danger-text">
          {t("pin.failed")}
        </p>
      )}
      {asking ? (
        <form
          className="grid gap-4 rounded-2xl bg-sunken p-4 sm:p-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (asking === "remove") save(null);
            else if (pin.length === 4) save(pin);
          }}
        >
          {asking === "new" && (
            <>
              <p aria-hidden className="text-center font-semibold">
                {link.has_pin ? t("pin.newLabel") : t("pin.label")}
              </p>
              <PinBoxes
                label={link.has_pin ? t("pin.newLabel") : t("pin.label")}
                autoFocus
                busy={set.isPending}
                describedBy="pin-note"
                onChange={setPin}
                // The owner sees the whole PIN before it holds: nobody is shut out by a slip.
                onComplete={setPin}
              />
            </>
          )}
          <p id="pin-note" className="text-center text-sm text-ink-soft">
            {note}
          </p>
          <div className="flex flex-wrap justify-center gap-3">
            <Button type="submit" size="small" aria-busy={set.isPending} disabled={asking === "new" && pin.length < 4}>
              {asking === "remove" ? t("pin.remove") : t("pin.save")}
            </Button>
            <Button variant="quiet" size="small" onClick={close}>
              {t("pin.cancel")}
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button variant="quiet" size="small" onClick={() => setAsking("new")}>
            {link.has_pin ? t("pin.update") : t("pin.set")}
          </Button>
          {link.has_pin && (
            <Button variant="plain" size="small" onClick={() => setAsking("remove")}>
              {t("pin.remove")}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
