import { useState } from "react";
import { useTranslation } from "react-i18next";
import { typedVoucher } from "../../../../shared/typed-text.ts";
import type { Catalogue, CataloguePlan } from "../../../data/catalogue.queries.ts";
import { changedFields, EditConflict } from "../../../data/save-over.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { endOfDay, localDay } from "../../../lib/formatting/local-day.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { useCreateCampaign, useSaveVoucher, type VoucherFields, type VoucherRow } from "./catalogue.queries.ts";
import { Effect } from "./Effect.tsx";
import { VoucherConflict } from "./VoucherConflict.tsx";

interface VoucherFormProps {
  catalogue: Catalogue;
  /** The voucher to edit; a new one if absent. */
  voucher?: VoucherRow;
  /** Whether it creates a campaign instead of a voucher. */
  campaign?: boolean;
  onDone: () => void;
}

/** Parses a whole number within limits; undefined if invalid, null if empty. */
function numberIn(text: string, least: number, most: number): number | null | undefined {
  if (text.trim() === "") return null;
  const number = Number(text);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

/** Saves the codes of a campaign as a file, one per line. */
export const saveCodes = (name: string, codes: readonly string[]) =>
  saveFile(new Blob([["code", ...codes, ""].join("\r\n")], { type: "text/csv" }), `${name}.csv`);

/** Creates or edits a voucher, or creates a campaign, with a preview of the prices. */
export function VoucherForm({ catalogue, voucher, campaign = false, onDone }: VoucherFormProps) {
  const { t } = useTranslation("adminCatalogue");
  const [fields, setFields] = useState({
    code: voucher?.code ?? "",
    percentage: voucher ? String(voucher.percentage) : "",
    ends: voucher?.ends_at ? localDay(voucher.ends_at) : "",
    uses: voucher?.max_uses?.toString() ?? (campaign ? "100" : ""),
    each: voucher?.max_uses_per_person?.toString() ?? "",
    note: voucher?.note ?? "",
  });
  const [covered, setCovered] = useState({
    plan_ids: voucher?.plan_ids ?? null,
    applies_to_cards: voucher?.applies_to_cards ?? true,
  });
  const [active, setActive] = useState(voucher?.active ?? true);
  const [tried, setTried] = useState(false);
  const save = useSaveVoucher();
  const conflict = save.error instanceof EditConflict ? (save.error as EditConflict<VoucherRow>) : undefined;
  const create = useCreateCampaign();
  const done = (title: string) => {
    toast({ tone: "success", title });
    onDone();
  };

  const percentage = Number(fields.percentage.replace(",", "."));
  const uses = numberIn(fields.uses, 1, campaign ? 1000 : 1_000_000_000);
  const each = numberIn(fields.each, 1, 1_000_000_000);
  const wrong = {
    code: !(campaign ? /^[A-Z0-9]{0,20}$/i : /^[A-Z0-9][A-Z0-9-]{1,38}[A-Z0-9]$/i).test(fields.code.trim()),
    percentage: !(percentage > 0 && percentage <= 100),
    uses: uses === undefined || (campaign && uses === null),
    each: each === undefined,
    note: campaign && !fields.note.trim(),
  };
  const error = (name: keyof typeof wrong) => (tried && wrong[name] ? t(`wrong.${name}`) : undefined);
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
    autoComplete: "off",
  });
  const ends_at = fields.ends ? endOfDay(fields.ends) : null;
  const now: VoucherFields = {
    ...covered,
    percentage,
    ends_at,
    active,
    code: typedVoucher(fields.code),
    note: fields.note.trim(),
    max_uses: uses ?? null,
    max_uses_per_person: each ?? null,
  };
  const [first] = useState(now);
  const store = (change: Parameters<typeof save.mutate>[0]) =>
    save.mutate(change, { onSuccess: () => done(t("saved")) });
  const submit = () => {
    setTried(true);
    if (Object.values(wrong).some(Boolean) || save.isPending || create.isPending) return;
    if (campaign) {
      const name = fields.note.trim();
      create.mutate(
        { percentage, ends_at, ...covered, name, codes: uses ?? 1, prefix: fields.code.trim() },
        {
          onSuccess: ({ codes }) => {
            saveCodes(name, codes);
            done(t("campaignMade", { count: codes.length }));
          },
        },
      );
    } else {
      // A value that only the form writes otherwise is no change.
      const changes = voucher && changedFields(first, now);
      store(voucher && changes ? { base: voucher, changes } : { fields: now });
    }
  };

  return (
    <Form
      error={conflict ? null : (save.error ?? create.error)}
      className="rounded-3xl border border-line bg-raised p-5 sm:p-8"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h3 className="font-serif text-2xl">{t(campaign ? "newCampaign" : voucher ? "changeVoucher" : "newVoucher")}</h3>
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        {campaign && <TextField label={t("campaignName")} maxLength={100} error={error("note")} {...field("note")} />}
        <TextField label={t(campaign ? "prefix" : "code")} maxLength={40} error={error("code")} {...field("code")} />
        <TextField label={t("percentage")} inputMode="decimal" error={error("percentage")} {...field("percentage")} />
        <TextField label={t("ends")} type="date" {...field("ends")} />
        <TextField
          label={t(campaign ? "codes" : "uses")}
          inputMode="numeric"
          error={error("uses")}
          {...field("uses")}
        />
        {!campaign && <TextField label={t("each")} inputMode="numeric" error={error("each")} {...field("each")} />}
        {!campaign && <TextField label={t("note")} maxLength={500} {...field("note")} />}
      </div>
      <Covers plans={catalogue.plans} value={covered} onChange={setCovered} />
      {voucher && <Switch label={t("active")} checked={active} onChange={setActive} />}
      <Effect before={catalogue} voucher={wrong.percentage ? undefined : { percentage, ...covered }} />
      {conflict && <VoucherConflict conflict={conflict} plans={catalogue.plans} onSave={store} />}
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={save.isPending || create.isPending}>{t(campaign ? "make" : "save")}</SubmitButton>
        <Button variant="plain" onClick={onDone}>
          {t("cancel")}
        </Button>
      </div>
    </Form>
  );
}

type Covered = Pick<VoucherFields, "plan_ids" | "applies_to_cards">;

interface CoversProps {
  plans: readonly CataloguePlan[];
  value: Covered;
  onChange: (covered: Covered) => void;
}

/** The scope of a voucher: plans and cards. If all plans are selected, the voucher also covers future plans. */
function Covers({ plans, value: { plan_ids, applies_to_cards }, onChange }: CoversProps) {
  const { t } = useTranslation("adminCatalogue");
  const sold = plans.filter(({ plan_prices }) => plan_prices.length > 0).map(({ id, name }) => ({ id, name }));
  const isOn = (id: string) => plan_ids === null || plan_ids.includes(id);
  const toggle = (id: string, on: boolean) => {
    const ids = sold.map((plan) => plan.id).filter((one) => (one === id ? on : isOn(one)));
    onChange({ applies_to_cards, plan_ids: ids.length === sold.length ? null : ids });
  };
  return (
    <fieldset className="m-0 grid min-w-0 gap-1">
      <legend className="font-semibold">{t("covers")}</legend>
      {[...sold, { id: "", name: t("cardsToo") }].map(({ id, name }) => (
        <label key={id} className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            checked={id === "" ? applies_to_cards : isOn(id)}
            onChange={({ target }) =>
              id === "" ? onChange({ plan_ids, applies_to_cards: target.checked }) : toggle(id, target.checked)
            }
            className="size-5 accent-deep"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
