import { Trash2 } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../../shared/storage.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { forgetAllCopies } from "../../lib/offline/copies.ts";
import { bytesOfCopies, copyLimit, keepWithinLimit, setCopyLimit } from "../../lib/offline/copy-entries.ts";
import { Button } from "../../ui/Button.tsx";
import { SelectField } from "../../ui/SelectField.tsx";

const MB = 1024 ** 2;
const LIMITS = [0, 50 * MB, 200 * MB, 1024 * MB];

/** The space of this device's offline copies, its limit, and a button to remove them. Nothing where there are none. */
export default function OfflineSpace() {
  const { t, i18n } = useTranslation("offline");
  const [space, setSpace] = useState<{ used: number; limit: number }>();
  const [emptied, setEmptied] = useState(false);
  const size = (bytes: number) => sizeText(bytes, localeOf(i18n.language));

  const read = useCallback(async () => {
    if (!globalThis.caches) return;
    const [used, limit] = await Promise.all([bytesOfCopies(), copyLimit()]);
    setSpace({ used, limit });
  }, []);
  useEffect(() => {
    void read().catch(() => {});
  }, [read]);

  if (!space) return null;
  const { used, limit } = space;
  const change = async (value: string) => {
    await setCopyLimit(Number(value));
    await keepWithinLimit();
    await read();
  };
  const empty = async () => {
    await forgetAllCopies();
    setEmptied(true);
    await read();
  };
  return (
    <div className="grid justify-items-start gap-4 text-start">
      <p role="status" className="text-ink-soft">
        {used > 0 ? t("use", { used: size(used), limit: size(limit) }) : t(emptied ? "emptied" : "nothing")}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={t("limit")}
          value={String(limit)}
          options={LIMITS.map((bytes) => [String(bytes), bytes === 0 ? t("off") : size(bytes)] as const)}
          onChange={({ target }) => void change(target.value)}
        />
        {used > 0 && (
          <Button variant="quiet" icon={Trash2} onClick={() => void empty()}>
            {t("empty")}
          </Button>
        )}
      </div>
    </div>
  );
}
