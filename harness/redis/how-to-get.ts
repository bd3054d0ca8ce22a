import { OLDEST_VERSION } from "./version.ts";

/** Every way to get a Redis, one line each, ready to paste. */
const WAYS_TO_GET_REDIS = [
  "Debian, Ubuntu:  sudo apt-get install redis-server",
  "Fedora, RHEL:    sudo dnf install redis    (or: sudo dnf install valkey)",
  "Alpine:          sudo apk add redis",
  "macOS:           brew install redis",
  "Docker:          docker run --rm --detach --publish 127.0.0.1:6379:6379 redis:7.2    then add --redis redis://127.0.0.1:6379",
  "Windows:         wsl --install, then in its Ubuntu: sudo apt-get install redis-server",
] as const;

/** @param tried one line for each way that was tried, and why it gave nothing */
export function notFoundMessage(tried: readonly string[]): string {
  return [
    `No Redis was found (${OLDEST_VERSION} or later is needed). Tried:`,
    ...tried.map((line) => `  - ${line}`),
    "Get one with the line for your system, or name one you have with --redis-bin PATH:",
    ...WAYS_TO_GET_REDIS.map((line) => `  ${line}`),
  ].join("\n");
}
