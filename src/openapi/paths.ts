// Where the description of the interface is read, in each of its forms.

export const OPENAPI_PATH = '/openapi.json';
export const REFERENCE_PATH = '/developers/reference';
