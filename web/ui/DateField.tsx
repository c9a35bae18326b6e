import { useId } from "react";
import { useTranslation } from "react-i18next";
import { typedCode } from "../../shared/typed-text.ts";
import { classNames } from "./class-names.ts";
import { type DateText, isUsualYear, yearIn } from "./date-text.ts";

interface DateFieldProps {
  label: string;
  hint?: string;
  /** The error message under the field. */
  error?: string;
  /** Asks about a date that is possible and unusual. */
  question?: string | undefined;
  value: DateText;
  onChange: (value: DateText) => void;
  onBlur?: () => void;
  /** Whether only a whole date is accepted; seasons, decades and "about" are then left out. */
  exact?: boolean;
}

const SEASONS = ["spring", "summer", "autumn", "winter"] as const;

const BOX =
  "min-h-12 w-full min-w-0 rounded-xl border bg-raised text-base text-ink transition-colors duration-200 ease-out";

/**
 * A field for a date of any precision. The year is required; month, season, day and "about" are optional unless `exact`.
 */
export function DateField({ label, hint, error, question, value, onChange, onBlur, exact = false }: DateFieldProps) {
  const { t, i18n } = useTranslation("dateField");
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const doubt = isUsualYear(value.year) ? question : t("unusual", { year: value.year });
  const border = error ? "border-danger" : "border-edge hover:border-deep";
  const month = new Intl.DateTimeFormat(i18n.language, { month: "long", timeZone: "UTC" });
  const field = (name: "day" | "year") => (
    <div className={classNames("grid gap-1", name === "day" ? "w-15" : "w-21")}>
      <label htmlFor={`${id}-${name}`} className="text-sm text-ink-soft">
        {t(`${name}`)}
      </label>
      <input
        id={`${id}-${name}`}
        inputMode="numeric"
        autoComplete="off"
        value={value[name]}
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
        onChange={({ target }) =>
          onChange({
            ...value,
            // One more than a day has: the field then says that there is no such day.
            [name]: name === "year" ? yearIn(target.value) : typedCode(target.value).slice(0, 3),
          })
        }
        onBlur={onBlur}
        className={classNames(BOX, "px-3 text-center tabular-nums", border)}
      />
    </div>
  );
  return (
    <fieldset className="m-0 grid min-w-0 content-start gap-1.5">
      <legend className="float-start font-semibold">{label}</legend>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {field("day")}
        <div className="grid min-w-0 grow basis-16 gap-1">
          <label htmlFor={`${id}-month`} className="text-sm text-ink-soft">
            {t("month")}
          </label>
          <select
            id={`${id}-month`}
            value={value.month}
            aria-describedby={described}
            onChange={({ target }) => onChange({ ...value, month: target.value })}
            onBlur={onBlur}
            className={classNames(BOX, "px-2", border)}
          >
            <option value="">{exact ? "" : t("yearOnly")}</option>
            <optgroup label={t("months")}>
              {Array.from({ length: 12 }, (_, index) => (
                <option key={month.format(Date.UTC(2000, index, 15))} value={String(index + 1)}>
                  {month.format(Date.UTC(2000, index, 15))}
                </option>
              ))}
            </optgroup>
            {!exact && (
              <>
                <optgroup label={t("seasons")}>
                  {SEASONS.map((season) => (
                    <option key={season} value={season}>
                      {t(`${season}`)}
                    </option>
                  ))}
                </optgroup>
                <option value="decade">{t("decade")}</option>
              </>
            )}
          </select>
        </div>
        {field("year")}
      </div>
      {!exact && (
        <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            checked={value.about}
            aria-describedby={described}
            onChange={({ target }) => onChange({ ...value, about: target.checked })}
            onBlur={onBlur}
            className="size-5 cursor-pointer accent-deep"
          />
          {t("about")}
        </label>
      )}
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {!error && doubt}
      </p>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-danger-text">
          {error}
        </p>
      )}
    </fieldset>
  );
}
