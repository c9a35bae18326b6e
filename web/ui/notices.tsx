import { Toaster, toast } from "sonner";

/** A quiet word about something that went on in the background, as an upload that has finished. */
export const notice = (text: string) => toast(text);

/** Where the quiet notices stand: three at most, for 4 s each (Spec §9). */
export function Notices({ label }: { label: string }) {
  return (
    <Toaster
      expand
      visibleToasts={3}
      duration={4000}
      position="bottom-left"
      containerAriaLabel={label}
      toastOptions={{
        unstyled: true,
        className:
          "w-full font-sans rounded-2xl border border-line bg-raised px-4 py-3 text-base text-ink shadow-lifted",
      }}
    />
  );
}
