import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type HostReply, householdLinksQuery, inviteHousehold } from "../../../data/day-replies.queries.ts";
import { useCopy } from "../../../lib/browser/use-copy.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { TextField } from "../../../ui/TextField.tsx";

interface InviteDialogProps {
  client: SupabaseClient;
  memoryId: string;
  /** The household to invite. */
  reply: Pick<HostReply, "id" | "names" | "invited_at">;
  onClosed: () => void;
}

/** Makes the personal link of a household, which opens its reply with the names filled in. */
export function InviteDialog({ client, memoryId, reply, onClosed }: InviteDialogProps) {
  const { t } = useTranslation("dayReplies");
  const links = useQuery(householdLinksQuery(client, memoryId));
  const [linkId, setLinkId] = useState<string>();
  const link = links.data?.find(({ id }) => id === linkId) ?? links.data?.[0];
  const make = useMutation({
    mutationFn: async () => {
      if (!link) throw new Error("There is no link");
      const key = await inviteHousehold(client, { replyId: reply.id, linkId: link.id });
      return `${location.origin}${paths.shared(link.share_id)}#guest=${key}`;
    },
  });
  const [name = ""] = reply.names;
  return (
    <Dialog open title={t("invite.title", { name })} description={t("invite.text")} onOpenChange={onClosed}>
      {links.isPending ? (
        <Skeleton className="h-24" />
      ) : links.isError ? (
        <Problem error={new Error(t("loadFailed"))} retry={links.refetch} />
      ) : !link ? (
        <p>{t("invite.noLink")}</p>
      ) : make.data ? (
        <PersonalLink address={make.data} />
      ) : (
        <div className="grid gap-5">
          {links.data.length > 1 && (
            <SelectField
              label={t("invite.by")}
              value={link.id}
              onChange={({ target }) => setLinkId(target.value)}
              options={links.data.map(({ id, label }) => [id, label || t("invite.unnamed")])}
            />
          )}
          {reply.invited_at !== null && <p>{t("invite.again")}</p>}
          {make.isError && (
            <p role="alert" className="font-semibold text-danger-text">
              {t("invite.failed")}
            </p>
          )}
          <Button aria-busy={make.isPending} onClick={() => make.isPending || make.mutate()}>
            {t("invite.make")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function PersonalLink({ address }: { address: string }) {
  const { t } = useTranslation("dayReplies");
  const field = useRef<HTMLInputElement>(null);
  const { result, copy } = useCopy(address, field);
  return (
    <div className="grid gap-5">
      <p role="status">{t("invite.once")}</p>
      <TextField ref={field} label={t("invite.link")} readOnly value={address} />
      <Button onClick={() => void copy()}>
        <span aria-live="polite">{result === "copied" ? t("own.linkCopied") : t("invite.copy")}</span>
      </Button>
    </div>
  );
}
