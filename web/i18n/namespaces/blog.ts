import en from "../en/blog.json";
import it from "../it/blog.json";
import { addNamespace } from "../resources.ts";

addNamespace("blog", { en, it });
