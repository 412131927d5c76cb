import type { WorkBudget } from '../../work-budget.ts';
import type { BodyFields } from '../body-fields.ts';
import type { FieldPath } from '../field-path.ts';
import type { GraphqlDocument } from './document.ts';

/** One operation that a request asks a GraphQL server for. */
export interface GraphqlRequest {
  /** What it says, its variables decoded, for conditions and the email. */
  readonly fields: BodyFields;
  /** Every text that a server may run, wherever it stands. */
  readonly documents: readonly GraphqlDocument[];
  /** Everything that may name a document which the server keeps. */
  readonly references: readonly string[];
  readonly variables: readonly GraphqlVariable[];
  /** Variables in a second place, such as the query of the target: each server prefers one or the other. */
  readonly otherVariables: 'none' | 'unreadable' | BodyFields;
  /** Where files of an upload are put, as the members of the operation that they replace. */
  readonly uploads: readonly FieldPath[];
  /** Whatever is read of it draws on it. */
  readonly budget: WorkBudget;
}

export type GraphqlVariable = readonly [name: string, value: unknown];
