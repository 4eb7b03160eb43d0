/** The messages of onnx.proto, IR versions 3 to 14, with the fields that pv reads or refuses. */
import { many, one, type Schema } from './wire.ts';

export const modelProto: Schema = {
  1: one('ir_version', 'varint'),
  7: one('graph', 'bytes'),
  8: many('opset_import', 'bytes'),
  25: many('functions', 'bytes'),
};

export const operatorSetId: Schema = { 1: one('domain', 'bytes'), 2: one('version', 'varint') };

export const graphProto: Schema = {
  1: many('node', 'bytes'),
  5: many('initializer', 'bytes'),
  11: many('input', 'bytes'),
  12: many('output', 'bytes'),
  15: many('sparse_initializer', 'bytes'),
};

export const nodeProto: Schema = {
  1: many('input', 'bytes'),
  2: many('output', 'bytes'),
  3: one('name', 'bytes'),
  4: one('op_type', 'bytes'),
  5: many('attribute', 'bytes'),
  7: one('domain', 'bytes'),
  8: one('overload', 'bytes'),
};

export const attributeProto: Schema = {
  1: one('name', 'bytes'),
  2: one('f', 'fixed32'),
  3: one('i', 'varint'),
  4: one('s', 'bytes'),
  5: one('t', 'bytes'),
  6: one('g', 'bytes'),
  7: many('floats', 'fixed32'),
  8: many('ints', 'varint'),
  9: many('strings', 'bytes'),
  10: many('tensors', 'bytes'),
  11: many('graphs', 'bytes'),
  14: one('tp', 'bytes'),
  15: many('type_protos', 'bytes'),
  20: one('type', 'varint'),
  21: one('ref_attr_name', 'bytes'),
  22: one('sparse_tensor', 'bytes'),
  23: many('sparse_tensors', 'bytes'),
};

export const tensorProto: Schema = {
  1: many('dims', 'varint'),
  2: one('data_type', 'varint'),
  3: one('segment', 'bytes'),
  4: many('float_data', 'fixed32'),
  5: many('int32_data', 'varint'),
  6: many('string_data', 'bytes'),
  7: many('int64_data', 'varint'),
  8: one('name', 'bytes'),
  9: one('raw_data', 'bytes'),
  10: many('double_data', 'fixed64'),
  11: many('uint64_data', 'varint'),
  13: many('external_data', 'bytes'),
  14: one('data_location', 'varint'),
};

export const valueInfoProto: Schema = { 1: one('name', 'bytes'), 2: one('type', 'bytes') };

/** One of them: the type of a tensor, or another. */
export const typeProto: Schema = {
  1: one('tensor_type', 'bytes'),
  4: one('sequence_type', 'bytes'),
  5: one('map_type', 'bytes'),
  8: one('sparse_tensor_type', 'bytes'),
  9: one('optional_type', 'bytes'),
};

export const tensorType: Schema = { 1: one('elem_type', 'varint'), 2: one('shape', 'bytes') };

export const tensorShapeProto: Schema = { 1: many('dim', 'bytes') };

export const dimension: Schema = { 1: one('dim_value', 'varint'), 2: one('dim_param', 'bytes') };
