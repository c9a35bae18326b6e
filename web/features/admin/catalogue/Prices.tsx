import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CURRENCIES, type Currency } from "../../../../shared/money.ts";
import { amountIn, type Catalogue, type CataloguePlan } from "../../../data/catalogue.queries.ts";
import { EditConflict } from "../../../data/save-over.ts";
import { price } from "../../../lib/formatting/currency.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskTable } from "../DeskTable.tsx";
import { amountFrom, typedAmount } from "../desk-text.ts";
import { ROW_LINK } from "../Shortcuts.tsx";
import { Effect } from "./Effect.tsx";
import { cardTerms, planTerms, useSaveCard, useSavePlan } from "./prices.queries.ts";
import { TermsConflict } from "./TermsConflict.tsx";

interface PricesProps {
  catalogue: Catalogue;
  /** Renders the pricing page with this catalogue. */
  preview: (catalogue: Catalogue) => ReactNode;
}

const CARD = "metal-card";
/** The prices of a card that is not for sale yet. */
const NO_CARD = { product_prices: [], quantity_discounts: [] };

/** Edits the prices of plans and the card, with a preview of the effect and of the pricing page. */
export function Prices({ catalogue, preview }: PricesProps) {
  const { t } = useTranslation("adminCatalogue");
  const [open, setOpen] = useState<string>();
  const plan = catalogue.plans.find(({ id }) => id === open);
  const close = () => setOpen(undefined);
  const { plans, card } = catalogue;
  const rows = [
    ...plans.map(({ id, name, plan_prices }) => ({ id, name, amounts: plan_prices })),
    { id: CARD, name: t("card"), amounts: card?.product_prices ?? [] },
  ];
  return (
    <section aria-labelledby="prices" className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="prices" className="font-serif text-2xl">
          {t("prices")}
        </h2>
        <Button onClick={() => setOpen("")}>{t("newPlan")}</Button>
      </div>
      <DeskTable
        caption={t("prices")}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("item"),
            cell: ({ id, name }) => (
              <button
                type="button"
                {...ROW_LINK}
                onClick={() => setOpen(id)}
                className="min-h-11 cursor-pointer font-semibold text-deep underline md:min-h-0"
              >
                {name}
              </button>
            ),
          },
          ...CURRENCIES.map((currency) => ({
            head: currency as string,
            align: "end" as const,
            cell: ({ amounts }: (typeof rows)[number]) => {
              const amount = amountIn(currency, amounts);
              return amount === undefined ? "–" : price(amount, currency);
            },
          })),
        ]}
      />
      {(plan || open === "") && (
        <PlanForm key={open} plan={plan} catalogue={catalogue} preview={preview} onDone={close} />
      )}
      {open === CARD && <CardForm card={card ?? NO_CARD} catalogue={catalogue} preview={preview} onDone={close} />}
    </section>
  );
}

interface FormProps extends PricesProps {
  onDone: () => void;
}

const typedPrices = (amounts: readonly { currency: Currency; amount: number }[]) =>
  Object.fromEntries(
    CURRENCIES.map((currency) => {
      const amount = amountIn(currency, amounts);
      return [currency, amount === undefined ? "" : typedAmount(amount)];
    }),
  ) as Record<Currency, string>;

/** Parses the entered prices; undefined if one is invalid. */
function pricesFrom(typed: Record<Currency, string>) {
  const filled = CURRENCIES.filter((currency) => typed[currency].trim() !== "");
  const prices = filled.flatMap((currency) => {
    const amount = amountFrom(typed[currency]);
    return amount ? [{ currency, amount }] : [];
  });
  return prices.length === filled.length ? prices : undefined;
}

function PlanForm({ plan, catalogue, preview, onDone }: FormProps & { plan: CataloguePlan | undefined }) {
  const { t } = useTranslation("adminCatalogue");
  const [fields, setFields] = useState({
    id: plan?.id ?? "skies-",
    name: plan?.name ?? "",
    max_memories: plan?.max_memories?.toString() ?? "",
    storage_gb: plan?.storage_gb.toString() ?? "",
    term_years: plan?.term_years?.toString() ?? (plan ? "" : "1"),
    included_cards: plan?.included_cards.toString() ?? "0",
  });
  const [typed, setTyped] = useState(typedPrices(plan?.plan_prices ?? []));
  // Read once: the catalogue may be loaded again while the form is open.
  const [base] = useState(() => plan && planTerms(plan));
  const save = useSavePlan();
  const store = (change: Pick<Parameters<typeof save.mutate>[0], "base" | "terms">) =>
    save.mutate({ id: fields.id, ...change }, { onSuccess: () => saved(t("saved"), onDone) });
  const plan_prices = pricesFrom(typed);
  const whole = (text: string, least: number) =>
    /^\d{1,6}$/.test(text.trim()) && Number(text) >= least ? Number(text) : undefined;
  const optional = (text: string) => (text.trim() === "" ? null : whole(text, 1));
  const [max_memories, term_years] = [optional(fields.max_memories), optional(fields.term_years)];
  const [storage_gb, included_cards] = [whole(fields.storage_gb, 1), whole(fields.included_cards, 0)];
  const isKnown = !plan && catalogue.plans.some(({ id }) => id === fields.id);
  const drafted =
    plan_prices &&
    fields.name.trim() &&
    /^[a-z0-9-]{1,40}$/.test(fields.id) &&
    !isKnown &&
    max_memories !== undefined &&
    term_years !== undefined &&
    storage_gb !== undefined &&
    included_cards !== undefined
      ? {
          id: fields.id,
          name: fields.name.trim(),
          plan_prices,
          max_memories,
          term_years,
          storage_gb,
          included_cards,
          position: plan?.position ?? Math.max(0, ...catalogue.plans.map(({ position }) => position)) + 1,
        }
      : undefined;
  const after = drafted && {
    ...catalogue,
    plans: plan ? catalogue.plans.map((one) => (one.id === plan.id ? drafted : one)) : [...catalogue.plans, drafted],
  };
  return (
    <Editor
      title={plan?.name ?? t("newPlan")}
      catalogue={catalogue}
      after={after}
      preview={preview}
      onDone={onDone}
      error={save.error}
      busy={save.isPending}
      onSave={() => drafted && store({ base, terms: planTerms(drafted) })}
      conflict={<TermsConflict error={save.error} onSave={store} />}
    >
      {(Object.keys(fields) as (keyof typeof fields)[])
        .filter((name) => name !== "id" || !plan)
        .map((name) => (
          <TextField
            key={name}
            label={t(`plan.${name}`)}
            value={fields[name]}
            autoComplete="off"
            maxLength={name === "name" ? 100 : 40}
            onChange={({ target }) => setFields({ ...fields, [name]: target.value })}
          />
        ))}
      <PriceFields typed={typed} onChange={setTyped} />
    </Editor>
  );
}

function CardForm({ card, catalogue, preview, onDone }: FormProps & { card: NonNullable<Catalogue["card"]> }) {
  const { t } = useTranslation("adminCatalogue");
  const [typed, setTyped] = useState(typedPrices(card.product_prices));
  const [steps, setSteps] = useState(
    card.quantity_discounts
      .toSorted((one, other) => one.min_quantity - other.min_quantity)
      .map(({ min_quantity, percentage }) => `${min_quantity}: ${percentage}`)
      .join(", "),
  );
  const [base] = useState(() => cardTerms(card));
  const save = useSaveCard();
  const store = (change: Parameters<typeof save.mutate>[0]) =>
    save.mutate(change, { onSuccess: () => saved(t("saved"), onDone) });
  const product_prices = pricesFrom(typed);
  const quantity_discounts = discountsFrom(steps);
  const drafted = product_prices && quantity_discounts ? { product_prices, quantity_discounts } : undefined;
  return (
    <Editor
      title={t("card")}
      catalogue={catalogue}
      after={drafted && { ...catalogue, card: drafted }}
      preview={preview}
      onDone={onDone}
      error={save.error}
      busy={save.isPending}
      onSave={() => drafted && store({ base, terms: cardTerms(drafted) })}
      conflict={<TermsConflict error={save.error} onSave={store} />}
    >
      <PriceFields typed={typed} onChange={setTyped} />
      <TextField
        label={t("discounts")}
        hint={t("discountsHint")}
        value={steps}
        autoComplete="off"
        className="sm:col-span-2"
        onChange={({ target }) => setSteps(target.value)}
      />
    </Editor>
  );
}

/** Parses "10: 5, 25: 10" as quantity discounts; undefined if malformed. */
function discountsFrom(text: string) {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  const steps = parts.flatMap((part) => {
    const [, min_quantity, percentage] = /^\s*(\d{1,4})\s*:\s*(\d{1,3}(?:\.\d{1,2})?)\s*$/.exec(part) ?? [];
    const step = { min_quantity: Number(min_quantity), percentage: Number(percentage) };
    return step.min_quantity > 1 && step.percentage > 0 && step.percentage <= 100 ? [step] : [];
  });
  const isOnce = new Set(steps.map(({ min_quantity }) => min_quantity)).size === steps.length;
  return steps.length === parts.length && isOnce ? steps : undefined;
}

function saved(title: string, onDone: () => void) {
  toast({ tone: "success", title });
  onDone();
}

interface PriceFieldsProps {
  typed: Record<Currency, string>;
  onChange: (typed: Record<Currency, string>) => void;
}

function PriceFields({ typed, onChange }: PriceFieldsProps) {
  const { t } = useTranslation("adminCatalogue");
  return CURRENCIES.map((currency) => (
    <TextField
      key={currency}
      label={t("priceIn", { currency })}
      hint={t("priceHint")}
      inputMode="decimal"
      autoComplete="off"
      value={typed[currency]}
      onChange={({ target }) => onChange({ ...typed, [currency]: target.value })}
    />
  ));
}

interface EditorProps extends FormProps {
  title: string;
  /** The catalogue with the changes; undefined while the form is invalid. */
  after: Catalogue | undefined;
  error: Error | null;
  busy: boolean;
  onSave: () => void;
  /** Asks whose changes stay, after a conflict. */
  conflict: ReactNode;
  children: ReactNode;
}

function Editor({ title, catalogue, after, preview, onDone, error, busy, onSave, conflict, children }: EditorProps) {
  const { t } = useTranslation("adminCatalogue");
  const [tried, setTried] = useState(false);
  return (
    <Form
      error={error instanceof EditConflict ? null : (error ?? (tried && !after ? new Error(t("wrong.form")) : null))}
      className="rounded-3xl border border-line bg-raised p-5 sm:p-8"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!busy) onSave();
      }}
    >
      <h3 className="font-serif text-2xl">{title}</h3>
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">{children}</div>
      {after && <Effect before={catalogue} after={after} />}
      {after && (
        <details className="grid gap-4">
          <summary className="min-h-11 cursor-pointer content-center font-semibold">{t("preview")}</summary>
          <div className="mt-4 grid gap-10 rounded-3xl bg-paper p-4">{preview(after)}</div>
        </details>
      )}
      {conflict}
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={busy}>{t("save")}</SubmitButton>
        <Button variant="plain" onClick={onDone}>
          {t("cancel")}
        </Button>
      </div>
    </Form>
  );
}
