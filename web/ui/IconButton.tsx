import { RoundButton, type RoundButtonProps } from "./RoundButton.tsx";
import { Tooltip } from "./Tooltip.tsx";

export type IconButtonProps = RoundButtonProps;

/** A round button that shows only an icon, and says in a tooltip what it does. */
export const IconButton = (props: IconButtonProps) => (
  <Tooltip text={props.label}>
    <RoundButton {...props} />
  </Tooltip>
);
