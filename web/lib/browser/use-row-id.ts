import { useParams } from "react-router";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The id of no row. */
const NO_ROW = "00000000-0000-0000-0000-000000000000";

/**
 * Returns the id of a row from the page's URL, for queries. A malformed id, e.g. of a link that was cut off, becomes one
 * that no row has, because the database refuses it, and the page would show a failure in place of its not-found view.
 */
export function useRowId(parameter = "id"): string {
  const { [parameter]: id = "" } = useParams();
  return UUID.test(id) ? id : NO_ROW;
}
