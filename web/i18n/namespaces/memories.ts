import en from "../en/memories.json";
import it from "../it/memories.json";
import { addNamespace } from "../resources.ts";

addNamespace("memories", { en, it });
