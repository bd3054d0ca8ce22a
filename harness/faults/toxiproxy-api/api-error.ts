/** An error that the API answers with. Texts and codes are Toxiproxy's. */
export class ApiError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

export const badRequest = (detail: string) => new ApiError(`bad request body: ${detail}`, 400);
export const missingField = (field: string) => new ApiError(`missing required field: ${field}`, 400);
export const proxyNotFound = () => new ApiError("proxy not found", 404);
export const proxyExists = () => new ApiError("proxy already exists", 409);
export const invalidStream = () => new ApiError("stream was invalid, can be either upstream or downstream", 400);
export const invalidToxicType = () => new ApiError("invalid toxic type", 400);
export const toxicExists = () => new ApiError("toxic already exists", 409);
export const toxicNotFound = () => new ApiError("toxic not found", 404);
