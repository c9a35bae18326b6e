interface SkyProps {
  moment: Date;
  stars?: number;
  seed?: string;
  className?: string;
}
export function Sky({ moment, className }: SkyProps) {
  return <div aria-hidden data-hour={moment.getHours()} className={className} />;
}
