import { Ban, Ellipsis, Gift, UserMinus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useBlock } from "../../actions/moderation.ts";
import type { MemoryRights } from "../../data/memories.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { FAR_ROW } from "../../ui/far-row.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { MEMBER_ROLES, type MemberRole, type MemoryPerson, useChangeRole, useOffer } from "./people.queries.ts";

interface PersonRowProps {
  memory: { id: string };
  person: MemoryPerson;
  picture: string | undefined;
  rights: MemoryRights;
  isMe: boolean;
  /** Whether the memory is offered to this person. */
  isOffered: boolean;
  /** Whether the reader can offer the memory: they own it, and no offer is open. */
  offers: boolean;
  onRemove: () => void;
}

/** Renders a member with the actions that the reader's rights allow. */
export function PersonRow({ memory, person, picture, rights, isMe, isOffered, offers, onRemove }: PersonRowProps) {
  const { t } = useTranslation(["people", "moderation"]);
  const block = useBlock(supabase, memory.id);
  const [offering, setOffering] = useState(false);
  const { mutate: changeRole } = useChangeRole(supabase, memory.id);
  const name = person.name || t("noName");
  const mayChange = !isMe && person.role !== "owner" && rights.manage && (rights.delete || person.role !== "co-owner");

  const change = (role: MemberRole) =>
    changeRole(
      { id: person.id, role },
      {
        onSuccess: () => toast({ title: t("person.changed", { name, role: t(`roles.${role}`) }), tone: "success" }),
        onError: () => toast({ title: t("person.changeFailed"), description: t("person.unchanged"), tone: "problem" }),
      },
    );

  return (
    <li className={classNames("grid gap-2", FAR_ROW)}>
      <div className="flex min-h-14 items-center gap-3">
        <Avatar name={person.name} picture={picture} className="size-11" />
        <div className="min-w-0 grow">
          <p className="font-semibold wrap-anywhere">
            <bdi>{name}</bdi>
            {isMe && <span className="font-normal text-ink-soft"> ({t("you")})</span>}
          </p>
          <p className="text-sm text-ink-soft">{t(`roles.${person.role}`)}</p>
        </div>
        {mayChange && (
          <Menu trigger={<IconButton icon={Ellipsis} label={t("person.menu", { name })} />}>
            <MenuChoice
              label={t("person.role")}
              value={person.role}
              onChange={(role) => change(role as MemberRole)}
              options={MEMBER_ROLES.filter((role) => rights.delete || role !== "co-owner").map((role) => ({
                value: role,
                label: t(`roles.${role}`),
              }))}
            />
            <MenuSeparator />
            {offers && (
              <MenuItem icon={Gift} onSelect={() => setOffering(true)}>
                {t("handover.offer")}
              </MenuItem>
            )}
            <MenuItem icon={UserMinus} tone="danger" onSelect={onRemove}>
              {t("person.remove")}
            </MenuItem>
            {[true, false].map((hide) => (
              <MenuItem
                icon={Ban}
                key={String(hide)}
                tone="danger"
                onSelect={() => void block({ name, user_id: person.id }, hide)}
              >
                {t(hide ? "moderation:block" : "moderation:blockKeep", { name })}
              </MenuItem>
            ))}
          </Menu>
        )}
      </div>
      {isOffered && rights.delete && <Offered memoryId={memory.id} name={name} />}
      <OfferMemory memoryId={memory.id} person={person} open={offering} onOpenChange={setOffering} />
    </li>
  );
}

/** Renders an open handover offer, which can be withdrawn. */
function Offered({ memoryId, name }: { memoryId: string; name: string }) {
  const { t } = useTranslation("people");
  const offer = useOffer(supabase, memoryId);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-2xl bg-sunken px-4 py-3">
      <p role="status">
        {t("handover.offered", { name })}. <span className="text-ink-soft">{t("handover.offeredText")}</span>
      </p>
      <Button
        size="small"
        variant="quiet"
        aria-busy={offer.isPending}
        onClick={() =>
          !offer.isPending &&
          void offer.mutateAsync(null).then(
            () => toast({ title: t("handover.takenBack") }),
            () => toast({ title: t("handover.failed"), tone: "problem" }),
          )
        }
      >
        {t("handover.takeBack")}
      </Button>
    </div>
  );
}

interface OfferMemoryProps {
  memoryId: string;
  person: MemoryPerson;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Renders the dialog that explains the effect of a handover before it is offered. */
function OfferMemory({ memoryId, person, open, onOpenChange }: OfferMemoryProps) {
  const { t } = useTranslation("people");
  const offer = useOffer(supabase, memoryId);
  const name = person.name || t("noName");
  return (
    <Dialog
      title={t("handover.offerTitle", { name })}
      description={t("handover.offerText", { name })}
      open={open}
      onOpenChange={onOpenChange}
    >
      <div className="flex flex-wrap justify-end gap-3">
        {offer.isError && (
          <p role="alert" className="basis-full text-danger-text">
            {t("handover.failed")}
          </p>
        )}
        <Button variant="quiet" onClick={() => onOpenChange(false)}>
          {t("handover.cancel")}
        </Button>
        <Button
          aria-busy={offer.isPending}
          onClick={() => !offer.isPending && offer.mutate(person.id, { onSuccess: () => onOpenChange(false) })}
        >
          {t("handover.confirm")}
        </Button>
      </div>
    </Dialog>
  );
}
