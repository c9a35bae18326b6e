import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/IconButton.tsx";

interface RecipientsProps {
  addresses: readonly string[];
  onRemove: (address: string) => void;
}

/** Renders the addresses that an invitation goes to, each with a button to remove it. */
export function Recipients({ addresses, onRemove }: RecipientsProps) {
  const { t } = useTranslation("people");
  return (
    <div className="grid gap-2">
      <p id="recipients-title" className="text-sm text-ink-soft">
        {t("invite.recipients")}
      </p>
      <ul aria-labelledby="recipients-title" className="flex flex-wrap gap-2">
        {addresses.map((email) => (
          <li
            key={email}
            className="flex max-w-full items-center gap-1 rounded-full border border-line bg-sunken ps-4 wrap-anywhere"
          >
            <span className="min-w-0 py-1">{email}</span>
            <IconButton icon={X} label={t("invite.removeRecipient", { email })} onClick={() => onRemove(email)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
