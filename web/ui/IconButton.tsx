import { RoundButton, type RoundButtonProps } from "./RoundButton.tsx";
import { Tooltip } from "./Tooltip.tsx";

export type IconButtonProps = RoundButtonProps;

/** A round icon button with a tooltip. */
export const IconButton = (props: IconButtonProps) => (
  <Tooltip text={props.label}>
    <RoundButton {...props} />
  </Tooltip>
);
