import { avatarOf } from "../../shared/avatar.ts";
import { classNames } from "./class-names.ts";

interface AvatarProps {
  name: string;
  /** The address of their picture; it covers the initials once it is there. */
  picture?: string | undefined;
  className?: string;
}

/**
 * A person by their picture, or by their initials. Their name is beside it: it is drawn for the eye only, and copied with
 * no text.
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
          // A picture that could not be loaded leaves the initials; the next one is tried anew.
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
