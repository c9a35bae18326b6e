import { useMutation } from "@tanstack/react-query";
import { CalendarPlus, CalendarSync } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DayPart } from "../../data/day.queries.ts";
import { useCopy } from "../../lib/browser/use-copy.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { toast } from "../../ui/toasts.tsx";

interface CalendarButtonsProps {
  client: SupabaseClient;
  memoryId: string;
  /** The part to save; without it the button subscribes to the whole day. */
  part?: Pick<DayPart, "id" | "title">;
}

/** The button that saves a part as a calendar file, or the one that subscribes to the day. */
export default function CalendarButtons({ client, memoryId, part }: CalendarButtonsProps) {
  const { t, i18n } = useTranslation("day");
  const [address, setAddress] = useState<string>();
  const ask = useMutation({
    mutationFn: () => calendarAddress(client, memoryId, i18n.resolvedLanguage ?? "en"),
    onSuccess: (url) => {
      if (part) location.assign(`${url}&part=${part.id}`);
      else setAddress(url);
    },
    onError: () => toast({ title: t("calendar.failed"), tone: "problem" }),
  });
  return (
    <>
      <Button
        icon={part ? CalendarPlus : CalendarSync}
        variant={part ? "quiet" : "plain"}
        aria-label={part && t("calendar.addNamed", { title: part.title })}
        aria-busy={ask.isPending}
        aria-disabled={ask.isPending}
        onClick={() => ask.isPending || ask.mutate()}
      >
        {part ? t("calendar.add") : t("calendar.subscribe")}
      </Button>
      <Dialog
        title={t("calendar.title")}
        description={t("calendar.text")}
        open={address !== undefined}
        onOpenChange={() => setAddress(undefined)}
      >
        {address !== undefined && <Subscription address={address} />}
      </Dialog>
    </>
  );
}

function Subscription({ address }: { address: string }) {
  const { t } = useTranslation("day");
  const field = useRef<HTMLInputElement>(null);
  const { result, copy } = useCopy(address, field);
  return (
    <div className="grid gap-5">
      <Button asChild size="large">
        <a href={address.replace(/^https?:/, "webcal:")}>
          <CalendarSync aria-hidden className="size-5 shrink-0" />
          {t("calendar.open")}
        </a>
      </Button>
      <TextField ref={field} label={t("calendar.address")} readOnly value={address} />
      <Button variant="quiet" onClick={() => void copy()}>
        <span aria-live="polite">{result === "copied" ? t("calendar.copied") : t("calendar.copy")}</span>
      </Button>
    </div>
  );
}

/** Resolves to the address of the day's calendar, with the reader's own rights. */
async function calendarAddress(client: SupabaseClient, memoryId: string, language: string): Promise<string> {
  const { data, error } = await client.functions.invoke<{ url: string }>("calendar-link", {
    body: { memoryId, language },
  });
  if (!data) throw new Error("Failed to prepare the calendar", { cause: error });
  return data.url;
}
