import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Delivery, Engraving, engravedLink } from "../../../shared/card.ts";
import { countryName } from "../../../shared/country-name.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { SelectField } from "../../ui/SelectField.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type MetalCardRow, usePersonaliseCard } from "./cards.queries.ts";
import { type CardInput, canEngrave, EngravingFields } from "./EngravingFields.tsx";
import OwnMemory from "./OwnMemory.tsx";
import { CardStage } from "./shop/CardStage.tsx";

/** A form for a card's text and address, beside a picture of the card. */
export function PersonaliseCard({ card, userId }: { card: MetalCardRow; userId: string }) {
  const { t, i18n } = useTranslation("ownCards");
  const go = useNavigate();
  const { name, dates, finish, language, making } = card;
  const first = making === "waiting" ? (i18n.resolvedLanguage === "it" ? "it" : "en") : language;
  const [cardInput, setCardInput] = useState<CardInput>({
    engraving: { name, dates, finish, language: first },
    memoryId: card.memory_id,
  });
  const [address, setAddress] = useState<Address>(addressOf(card.delivery?.address));
  const [tried, setTried] = useState(false);
  const save = usePersonaliseCard(supabase, userId, card.id);

  const submit = () => {
    setTried(true);
    const engraving = Engraving.safeParse(cardInput.engraving);
    const delivery = Delivery.safeParse(deliveryOf(address));
    if (!engraving.success || !delivery.success || save.isPending) return;
    save.mutate(
      { engraving: { ...engraving.data, memory_id: cardInput.memoryId }, address: delivery.data },
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
        engraving={cardInput.engraving}
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
        <EngravingFields input={cardInput} onChange={setCardInput}>
          <OwnMemory userId={userId} input={cardInput} onChange={setCardInput} />
        </EngravingFields>
        <AddressFields address={address} onChange={setAddress} tried={tried} />
        <SubmitButton busy={save.isPending} disabled={tooLate || !canEngrave(cardInput.engraving)}>
          {t(save.isPending ? "personalise.saving" : "personalise.save")}
        </SubmitButton>
      </Form>
    </div>
  );
}

interface AddressFieldsProps {
  address: Address;
  onChange: (address: Address) => void;
  /** Whether missing fields show an error. */
  tried: boolean;
}

const FIELDS = [
  { name: "name", text: "recipient", fill: "name", needed: true, wide: true },
  { name: "line1", text: "line1", fill: "address-line1", needed: true, wide: true },
  { name: "line2", text: "line2", fill: "address-line2", needed: false, wide: true },
  { name: "postal_code", text: "postalCode", fill: "postal-code", needed: false, wide: false },
  { name: "city", text: "city", fill: "address-level2", needed: true, wide: false },
  { name: "state", text: "region", fill: "address-level1", needed: false, wide: false },
] as const;

/** The fields of a delivery address. */
function AddressFields({ address, onChange, tried }: AddressFieldsProps) {
  const { t, i18n } = useTranslation("ownCards");
  const missing = t("required");
  const countries = COUNTRIES.map((code) => [code, countryName(code, localeOf(i18n.language))] as const).toSorted(
    ([, a], [, b]) => a.localeCompare(b, i18n.language),
  );
  return (
    <fieldset className="m-0 grid gap-4 border-t border-line pt-6 sm:grid-cols-2">
      <legend className="contents">
        <span className="font-serif text-2xl sm:col-span-2">{t("personalise.address")}</span>
      </legend>
      {FIELDS.map(({ name, text, fill, needed, wide }) => (
        <TextField
          key={name}
          label={t(`personalise.${text}`)}
          autoComplete={`shipping ${fill}`}
          value={address[name]}
          error={tried && needed && !address[name].trim() ? missing : undefined}
          onChange={({ target }) => onChange({ ...address, [name]: target.value })}
          className={wide ? "sm:col-span-2" : undefined}
        />
      ))}
      <SelectField
        label={t("personalise.country")}
        autoComplete="shipping country"
        value={address.country}
        error={tried && !address.country ? missing : undefined}
        onChange={({ target }) => onChange({ ...address, country: target.value })}
        options={[["", ""], ...countries]}
      />
    </fieldset>
  );
}

interface Address {
  name: string;
  line1: string;
  line2: string;
  postal_code: string;
  city: string;
  state: string;
  /** Two capitals (ISO 3166). */
  country: string;
}

const addressOf = (delivery: Delivery | null | undefined): Address => ({
  name: delivery?.name ?? "",
  line1: delivery?.address.line1 ?? "",
  line2: delivery?.address.line2 ?? "",
  postal_code: delivery?.address.postal_code ?? "",
  city: delivery?.address.city ?? "",
  state: delivery?.address.state ?? "",
  country: delivery?.address.country ?? "",
});

const deliveryOf = ({ name, ...address }: Address): Delivery => ({ name, address });

/** Countries of delivery, the same as on the payment page. */
const COUNTRIES = [
  "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LI LT LU LV MT NL NO PL PT RO SE SI SK",
  "AU CA NZ US",
].flatMap((codes) => codes.split(" "));
