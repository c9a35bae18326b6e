import { useTranslation } from "react-i18next";
import { SearchResults } from "../features/search/SearchResults.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useFind } from "../lib/browser/use-find.ts";
import { supabase } from "../lib/request/supabase.ts";
import { SearchField } from "../ui/SearchField.tsx";

/** `/search?q=…`: everything that the person may see, by words and dates. */
export default function SearchPage() {
  const { t } = useTranslation("search");
  const { text, find, setText } = useFind(true, "q");
  usePageTitle(find ? `${t("title")}: ${find}` : t("title"));
  return (
    <div className="page-width grid gap-6 pt-8 pb-16 sm:pt-12">
      <h1 className="font-serif text-4xl sm:text-5xl">{t("title")}</h1>
      <SearchField label={t("label")} value={text} onChange={setText} begins className="max-w-2xl" />
      <SearchResults client={supabase} find={find} memoryId={null} />
    </div>
  );
}
