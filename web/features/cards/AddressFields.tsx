import { useId } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import { TextField } from "../../ui/TextField.tsx";
import { type Address, COUNTRIES } from "./address.ts";

interface AddressFieldsProps {
  address: Address;
  onChange: (address: Address) => void;
  /** Whether what is missing is to be said. */
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

/** Where a card is sent. */
export function AddressFields({ address, onChange, tried }: AddressFieldsProps) {
  const { t, i18n } = useTranslation(["cards", "common"]);
  const id = useId();
  const missing = t("common:required");
  const nameOf = new Intl.DisplayNames([localeOf(i18n.language)], { type: "region" });
  const countries = COUNTRIES.map((code) => ({ code, name: nameOf.of(code) ?? code })).toSorted((a, b) =>
    a.name.localeCompare(b.name, i18n.language),
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
      <div className="grid content-start gap-1.5">
        <label htmlFor={id} className="font-semibold">
          {t("personalise.country")}
        </label>
        <select
          id={id}
          autoComplete="shipping country"
          value={address.country}
          aria-invalid={tried && !address.country ? true : undefined}
          onChange={({ target }) => onChange({ ...address, country: target.value })}
          className="min-h-12 w-full min-w-0 rounded-xl border border-edge bg-raised px-3 text-base text-ink"
        >
          <option value="" />
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        {tried && !address.country && (
          <p role="alert" className="text-sm font-semibold text-danger-text">
            {missing}
          </p>
        )}
      </div>
    </fieldset>
  );
}
