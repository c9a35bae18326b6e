import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Delivery, Engraving, engravedLink } from "../../../shared/card.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { toast } from "../../ui/toasts.tsx";
import { AddressFields } from "./AddressFields.tsx";
import { type Address, addressOf, deliveryOf } from "./address.ts";
import { type MetalCardRow, usePersonaliseCard } from "./cards.queries.ts";
import { type CardWish, canEngrave, EngravingFields } from "./EngravingFields.tsx";
import { CardStage } from "./shop/CardStage.tsx";
import { wordsOf } from "./shop/engraving-defaults.ts";
import { useCardMemories } from "./use-card-memories.ts";

/** The words of a card and the way to its recipient, beside the card as it will be. */
export function PersonaliseCard({ card, userId }: { card: MetalCardRow; userId: string }) {
  const { t, i18n } = useTranslation("cards");
  const go = useNavigate();
  const { name, dates, finish, language, making } = card;
  const first = making === "waiting" ? (i18n.resolvedLanguage === "it" ? "it" : "en") : language;
  const [wish, setWish] = useState<CardWish>({
    engraving: { name, dates, finish, language: first },
    memoryId: card.memory_id,
  });
  const { memories, search } = useCardMemories(userId, wish.memoryId);
  const [address, setAddress] = useState<Address>(addressOf(card.delivery?.address));
  const [tried, setTried] = useState(false);
  const save = usePersonaliseCard(supabase, userId, card.id);

  const submit = () => {
    setTried(true);
    const engraving = Engraving.safeParse(wish.engraving);
    const delivery = Delivery.safeParse(deliveryOf(address));
    if (!engraving.success || !delivery.success || save.isPending) return;
    save.mutate(
      { words: { ...engraving.data, memory_id: wish.memoryId }, address: delivery.data },
      {
        onSuccess: () => {
          toast({ title: t("personalise.saved") });
          void go(paths.cards());
        },
      },
    );
  };
  const tooLate = save.error?.cause === "engraved" || (making !== "waiting" && making !== "ordered");
  return (
    <div className="grid items-start gap-8 lg:grid-cols-2 lg:gap-14">
      <CardStage
        engraving={wish.engraving}
        link={engravedLink(location.origin, card.code)}
        says={t("personalise.own")}
      />
      <Form
        className="gap-7!"
        error={save.error && new Error(t(tooLate ? "personalise.engraved" : "personalise.failed"))}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <EngravingFields
          wish={wish}
          onChange={setWish}
          memories={memories}
          search={search}
          onMemory={(one) =>
            one &&
            setWish({ memoryId: one.id, engraving: { ...wish.engraving, ...wordsOf(one, localeOf(i18n.language)) } })
          }
        />
        <AddressFields address={address} onChange={setAddress} tried={tried} />
        <SubmitButton busy={save.isPending} disabled={tooLate || !canEngrave(wish.engraving)}>
          {t(save.isPending ? "personalise.saving" : "personalise.save")}
        </SubmitButton>
      </Form>
    </div>
  );
}
