import { avatarOf } from "../../shared/avatar.ts";
import { classNames } from "./class-names.ts";

/** A person by their initials. Their name is beside it: it is drawn for the eye only, and copied with no text. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const { initials, sky } = avatarOf(name);
  return (
    <span
      aria-hidden
      data-initials={initials}
      style={{ backgroundImage: `linear-gradient(160deg, ${sky.join(", ")})` }}
      className={classNames(
        "grid size-10 shrink-0 place-items-center rounded-full font-serif text-base leading-none text-white before:content-[attr(data-initials)]",
        className,
      )}
    />
  );
}
