import { keepPreviousData, useQuery } from "@tanstack/react-query";

const toolsQuery = {
  queryKey: ["print-tools"],
  queryFn: () => import("./print-tools.ts"),
  staleTime: Number.POSITIVE_INFINITY,
};

/** The code that lays out pages, loaded on demand, and the measure of this content's letters. */
export function useMeasure(content: string) {
  const letters = [...new Set(content)].sort().join("");
  const tools = useQuery(toolsQuery);
  const measure = useQuery({
    queryKey: ["print-fonts", letters],
    queryFn: async () => (await toolsQuery.queryFn()).measureOf(letters),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return { tools: tools.data, measure: measure.data, isError: tools.isError };
}
