/** Everything below it is of the admin API, which the operations port serves. */
export const ADMIN_PATH = '/admin/';
