import type { WorkBudget } from '../../budgets.ts';
import type { BodyFields } from '../body-fields.ts';
import type { FieldPath } from '../field-path.ts';
import type { GraphqlDocument } from './document.ts';

/** One operation that a request asks a GraphQL server to run. */
export interface GraphqlRequest {
  /** Its content with decoded variables, for conditions and the email. */
  readonly fields: BodyFields;
  /** Every text that a server may run, wherever the request holds it. */
  readonly documents: readonly GraphqlDocument[];
  /** Every text that may name a stored document of the server. */
  readonly references: readonly string[];
  readonly variables: readonly GraphqlVariable[];
  /** Variables in a second place, such as the query of the target: servers differ in which place they prefer. */
  readonly otherVariables: 'none' | 'unreadable' | BodyFields;
  /** The members of the operation that the files of an upload replace. */
  readonly uploads: readonly FieldPath[];
  /** Every read spends from this budget. */
  readonly budget: WorkBudget;
}

export type GraphqlVariable = readonly [name: string, value: unknown];
