import { avatarOf } from "../../shared/avatar.ts";
import { classNames } from "./class-names.ts";

interface AvatarProps {
  name: string;
  /** The URL of the person's picture, which covers the initials once it has loaded. */
  picture?: string | undefined;
  className?: string;
}

/**
 * A person's picture or initials. Hidden from screen readers and left out of copied text, as the name is beside it.
 */
export function Avatar({ name, picture, className }: AvatarProps) {
  const { initials, sky } = avatarOf(name);
  return (
    <span
      aria-hidden
      data-initials={initials}
      style={{ backgroundImage: `linear-gradient(160deg, ${sky.join(", ")})` }}
      className={classNames(
        "relative grid size-10 shrink-0 place-items-center overflow-hidden rounded-full font-serif text-base leading-none text-white before:content-[attr(data-initials)]",
        className,
      )}
    >
      {picture && (
        <img
          // Keyed by URL, so that a new picture is tried after one has failed to load.
          key={picture}
          src={picture}
          alt=""
          decoding="async"
          onError={({ currentTarget }) => {
            currentTarget.hidden = true;
          }}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  );
}
