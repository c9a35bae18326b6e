import { useSearchParams } from "react-router";

/** A list's filters, stored in the page's URL; "" for all. */
export function useChoices<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const choices = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Record<Name, string>;
  const choose = (name: Name, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return [choices, choose] as const;
}
