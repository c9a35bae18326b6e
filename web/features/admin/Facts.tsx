import type { ReactNode } from "react";

/** A list of names and values; missing values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="m-0 grid gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,auto)_minmax(0,1fr)]">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name} className="grid sm:contents">
            <dt className="text-ink-soft wrap-anywhere">{name}</dt>
            <dd className="m-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A short label on a row, e.g. its state. */
export function Mark({ tone = "plain", children }: { tone?: "plain" | "danger"; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full px-3 py-0.5 text-sm font-semibold ${tone === "danger" ? "bg-danger-wash text-danger-text" : "bg-wash text-deep"}`}
    >
      {children}
    </span>
  );
}
