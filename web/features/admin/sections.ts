import type { StaffRole } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";

interface Section {
  /** A key of `admin:sections`. */
  text: "overview" | "people" | "orders" | "cards" | "catalogue" | "affiliates" | "inbox" | "blog" | "system" | "audit";
  to: string;
  /** The roles that see the section. The database controls access to its data. */
  roles: readonly StaffRole[];
}

/** The sections of the desk in the order of its navigation. */
export const SECTIONS: readonly Section[] = [
  { text: "overview", to: paths.admin(), roles: ["admin", "support"] },
  { text: "people", to: paths.admin("people"), roles: ["admin", "support"] },
  { text: "orders", to: paths.admin("orders"), roles: ["admin", "support", "fulfilment"] },
  { text: "cards", to: paths.admin("cards"), roles: ["admin", "fulfilment", "support"] },
  { text: "catalogue", to: paths.admin("catalogue"), roles: ["admin"] },
  { text: "affiliates", to: paths.admin("affiliates"), roles: ["admin"] },
  { text: "inbox", to: paths.admin("inbox"), roles: ["admin", "support"] },
  { text: "blog", to: paths.admin("blog"), roles: ["admin", "editor"] },
  { text: "system", to: paths.admin("system"), roles: ["admin"] },
  { text: "audit", to: paths.admin("audit"), roles: ["admin"] },
];

/** The sections of a role; none without a role. */
export const sectionsFor = (role: StaffRole | undefined): readonly Section[] =>
  SECTIONS.filter(({ roles }) => role !== undefined && roles.includes(role));
