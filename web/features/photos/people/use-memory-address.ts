import { useParams } from "react-router";
import { paths, peopleSearch } from "../../../paths.ts";

/** Returns a function that makes the address of another memory, behind the same link if the reader came by one. */
export function useMemoryAddress() {
  const { shareId } = useParams();
  return (memoryId: string, personId?: string) => {
    const path = shareId ? paths.shared(shareId, memoryId) : paths.memory(memoryId);
    return personId ? `${path}${peopleSearch([personId])}#photos` : path;
  };
}
