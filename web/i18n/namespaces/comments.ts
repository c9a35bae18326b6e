import en from "../en/comments.json";
import it from "../it/comments.json";
import { addNamespace } from "../resources.ts";

addNamespace("comments", { en, it });
