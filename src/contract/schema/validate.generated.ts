// @ts-nocheck
// Generated from contract.schema.json by scripts/generate-schema-validator.ts; change the schema, not this file.
/** The keys that the schema describes, per kind of mapping. */
export const knownKeys: Readonly<Record<string, readonly string[]>> = {
  "contract": [
    "metadata",
    "equations",
    "data",
    "proof_obligations",
    "falsification_tests",
    "kani_harnesses",
    "kernel_structure",
    "qa_gate",
    "simd_dispatch",
    "enforcement",
    "verification_summary",
    "type_invariants",
    "coq_spec",
    "beat",
    "entity",
    "relations",
    "stories",
    "binding_registry",
    "non_goals",
    "status"
  ],
  "metadata": [
    "version",
    "description",
    "kind",
    "created",
    "updated",
    "last_modified",
    "author",
    "references",
    "depends_on",
    "changelog",
    "lessons_learned",
    "issues",
    "registry",
    "enforcement_level",
    "locked_level",
    "proved_type",
    "applies_to",
    "parent_contract",
    "peer_contracts",
    "competitor",
    "demand_score",
    "intake_status"
  ],
  "equation": [
    "description",
    "formula",
    "domain",
    "codomain",
    "invariants",
    "preconditions",
    "postconditions",
    "references",
    "lean_theorem",
    "float_tolerance",
    "measured",
    "assumes",
    "guarantees",
    "properties",
    "tolerance_table"
  ],
  "obligation": [
    "id",
    "type",
    "property",
    "formal",
    "requires",
    "tolerance",
    "semantics",
    "applies_to",
    "equation",
    "about",
    "if_fails",
    "diagnosis",
    "methods",
    "lean",
    "rationale",
    "proof_level",
    "applies_to_phase",
    "parent_contract",
    "na_reason",
    "na_owner",
    "statement",
    "discharged_by",
    "prose"
  ],
  "diagnosis": [
    "granularity",
    "scope",
    "nature",
    "caused_by"
  ],
  "tolerance": [
    "abs",
    "rel",
    "ulp",
    "cond",
    "envelope",
    "per",
    "backends"
  ],
  "tolerance.backends": [
    "ref64",
    "ref32",
    "gpujs-cpu",
    "gpujs-webasm",
    "gpu",
    "webgl2",
    "webgpu",
    "webgpu-browser",
    "function"
  ],
  "methods": [
    "property",
    "bounded",
    "proof",
    "statistical"
  ],
  "methods.property": [
    "cases",
    "seed"
  ],
  "methods.bounded": [
    "strategy",
    "n",
    "timeout"
  ],
  "methods.proof": [
    "unbounded",
    "unbounded_above"
  ],
  "methods.statistical": [
    "random",
    "draws",
    "settings",
    "alpha"
  ],
  "falsificationTest": [
    "id",
    "name",
    "rule",
    "description",
    "obligation",
    "prediction",
    "expected",
    "given",
    "data",
    "violates",
    "tolerance",
    "semantics",
    "test",
    "command",
    "test_harness",
    "expected_output",
    "mutation",
    "if_fails",
    "fails_if",
    "falsification_test",
    "if_test_passes",
    "if_test_fails",
    "if_test_compiles",
    "reference",
    "status"
  ],
  "kaniHarness": [
    "id",
    "obligation",
    "property",
    "description",
    "bound",
    "sizes",
    "assumes",
    "strategy",
    "solver",
    "harness",
    "actually_verified"
  ],
  "kernelStructure": [
    "phases"
  ],
  "phase": [
    "name",
    "description",
    "invariant",
    "note",
    "applies_to",
    "gap_in_current_code"
  ],
  "qaGate": [
    "id",
    "name",
    "description",
    "checks",
    "required_tests",
    "pass_criteria",
    "falsification",
    "mutants",
    "equivalent_mutants",
    "min_coverage",
    "coverage_threshold",
    "max_complexity",
    "complexity_threshold"
  ],
  "equivalentMutant": [
    "mutant",
    "equation",
    "reason"
  ],
  "enforcementRule": [
    "description",
    "check",
    "severity",
    "reference"
  ],
  "lean": [
    "theorem",
    "module",
    "status",
    "depends_on",
    "mathlib_imports",
    "notes"
  ],
  "data": [
    "kind",
    "domain",
    "required",
    "inputs"
  ],
  "dataInput": [
    "meaning",
    "from",
    "default",
    "mend"
  ]
};

export const validate = validate20;

const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://provable-contracts.dev/schema/contract-1.json","type":"object","required":["metadata"],"properties":{"metadata":{"$ref":"#/$defs/metadata"},"equations":{"type":"object","additionalProperties":{"$ref":"#/$defs/equation"}},"data":{"$ref":"#/$defs/data"},"proof_obligations":{"type":"array","items":{"$ref":"#/$defs/obligation"}},"falsification_tests":{"type":"array","items":{"$ref":"#/$defs/falsificationTest"}},"kani_harnesses":{"type":"array","items":{"$ref":"#/$defs/kaniHarness"}},"kernel_structure":{"$ref":"#/$defs/kernelStructure"},"qa_gate":{"$ref":"#/$defs/qaGate"},"simd_dispatch":{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":["string","null"]}}},"enforcement":{"type":"object","additionalProperties":{"$ref":"#/$defs/enforcementRule"}},"verification_summary":{"type":"object","additionalProperties":{"type":["number","string","boolean","array","object","null"]}},"type_invariants":{"type":"array"},"coq_spec":{"type":"object"},"beat":{"type":"object"},"entity":{"type":"object"},"relations":{"type":["array","object"]},"stories":{"type":["array","object"]},"binding_registry":{"type":["string","object","array"]},"non_goals":{"type":["array","string"]},"status":{"type":"string"}},"$defs":{"metadata":{"type":"object","required":["version","description"],"properties":{"version":{"type":["string","number"]},"description":{"type":"string"},"kind":{"type":"string","enum":["kernel","registry","model-family","model-family-variant","tokenizer","training-loop","pretraining-corpus","training-precondition-gate","corpus-assembly","pattern","schema","beat-benchmark","kaizen","data","composition"]},"created":{"type":"string"},"updated":{"type":"string"},"last_modified":{"type":"string"},"author":{"type":"string"},"references":{"type":"array","items":{"type":"string","pattern":"\\S"}},"depends_on":{"type":"array","items":{"type":"string","pattern":"\\S"}},"changelog":{"type":"array","items":{"type":["string","object"]}},"lessons_learned":{"type":"array","items":{"type":"string"}},"issues":{"type":["array","string"]},"registry":{"type":"boolean"},"enforcement_level":{"type":"string","enum":["basic","standard","strict","proven"]},"locked_level":{"type":["string","number"]},"proved_type":{"type":"string"},"applies_to":{"type":"array","items":{"type":"string"}},"parent_contract":{"type":"string"},"peer_contracts":{"type":"array","items":{"type":"string"}},"competitor":{"type":"string"},"demand_score":{"type":"number"},"intake_status":{"type":"string"}}},"equation":{"type":"object","required":["formula"],"properties":{"description":{"type":"string"},"formula":{"type":"string"},"domain":{"type":"string"},"codomain":{"type":"string"},"invariants":{"type":"array","items":{"type":"string"}},"preconditions":{"type":"array","items":{"type":"string"}},"postconditions":{"type":"array","items":{"type":"string"}},"references":{"type":"array","items":{"type":"string","pattern":"\\S"}},"lean_theorem":{"type":"string"},"float_tolerance":{"type":["number","object","string"]},"measured":{"type":["string","object","array","number"]},"assumes":{"type":"object"},"guarantees":{"type":"object"},"properties":{"type":"array"},"tolerance_table":{"type":["object","array"]}}},"obligation":{"type":"object","required":["type","property"],"properties":{"id":{"type":["string","number"]},"type":{"type":"string","enum":["invariant","bound","equivalence","monotonicity","conservation","ordering","idempotency","linearity","completeness","soundness","symmetry","associativity","involution","determinism","roundtrip","state_machine","classification","independence","termination","precondition","postcondition","frame","loop_invariant","loop_variant","old_state","subcontract"]},"property":{"type":"string","pattern":"\\S"},"formal":{"type":"string"},"requires":{"type":["array","string"],"items":{"type":"string"}},"tolerance":{"$ref":"#/$defs/tolerance"},"semantics":{"type":"string","enum":["real","ieee","ulp","statistical"]},"applies_to":{"type":"string"},"equation":{"type":"string"},"about":{"type":"string","enum":["kernel","mathematics","data"]},"if_fails":{"type":"string"},"diagnosis":{"$ref":"#/$defs/diagnosis"},"methods":{"$ref":"#/$defs/methods"},"lean":{"$ref":"#/$defs/lean"},"rationale":{"type":"string"},"proof_level":{"type":["string","number"]},"applies_to_phase":{"type":"string"},"parent_contract":{"type":"string"},"na_reason":{"type":"string"},"na_owner":{"type":"string"},"statement":{"type":"string"},"discharged_by":{"type":["string","array"]},"prose":{"type":"string"}}},"diagnosis":{"type":"object","properties":{"granularity":{"type":"string","enum":["kernel","block","transfer","loop"]},"scope":{"type":"string","enum":["local","global"]},"nature":{"type":"string","enum":["static","dynamic"]},"caused_by":{"type":"array","items":{"type":"string","pattern":"\\S"}}}},"tolerance":{"type":["number","object"],"minimum":0,"minProperties":1,"dependentRequired":{"envelope":["cond"]},"properties":{"abs":{"type":"number","minimum":0},"rel":{"type":"number","minimum":0},"ulp":{"type":"number","minimum":0},"cond":{"type":"number","minimum":0},"envelope":{"type":"string","enum":["wgsl"]},"per":{"type":"string"},"backends":{"type":"object","properties":{"ref64":{"$ref":"#/$defs/tolerance"},"ref32":{"$ref":"#/$defs/tolerance"},"gpujs-cpu":{"$ref":"#/$defs/tolerance"},"gpujs-webasm":{"$ref":"#/$defs/tolerance"},"gpu":{"$ref":"#/$defs/tolerance"},"webgl2":{"$ref":"#/$defs/tolerance"},"webgpu":{"$ref":"#/$defs/tolerance"},"webgpu-browser":{"$ref":"#/$defs/tolerance"},"function":{"$ref":"#/$defs/tolerance"}}}}},"methods":{"type":"object","properties":{"property":{"type":"object","properties":{"cases":{"type":"integer","minimum":1,"maximum":100000000},"seed":{"type":"integer","minimum":0,"maximum":4294967295}}},"bounded":{"type":"object","properties":{"strategy":{"type":"string","enum":["auto","exhaustive","interval","smt","stub_float","bounded_int","compositional"]},"n":{"type":"integer","minimum":1},"timeout":{"type":"number","exclusiveMinimum":0}}},"proof":{"type":"object","properties":{"unbounded":{"type":["array","string"],"items":{"type":"string"}},"unbounded_above":{"type":["array","string"],"items":{"type":"string"}}}},"statistical":{"type":"object","required":["random"],"properties":{"random":{"type":["array","string"],"items":{"type":"string"}},"draws":{"type":"integer","minimum":100,"maximum":10000000},"settings":{"type":"integer","minimum":1,"maximum":1000},"alpha":{"type":"number","exclusiveMinimum":0,"maximum":0.1}}}}},"falsificationTest":{"type":"object","required":["id"],"properties":{"id":{"type":["string","number"]},"name":{"type":"string"},"rule":{"type":"string"},"description":{"type":"string"},"obligation":{"type":["string","number"]},"prediction":{"type":"string"},"expected":{"type":"string"},"given":{"type":"string"},"data":{"type":"object","additionalProperties":{"type":["number","string","boolean","array"],"items":{"type":["number","string"],"pattern":"^[-+]?\\.(?:inf|nan)$"}}},"violates":{"type":"array","items":{"type":"string"}},"tolerance":{"$ref":"#/$defs/tolerance"},"semantics":{"type":"string","enum":["real","ieee","ulp"]},"test":{"type":"string"},"command":{"type":["string","array"]},"test_harness":{"type":"string"},"expected_output":{"type":"string"},"mutation":{"type":["string","object"]},"if_fails":{"type":"string"},"fails_if":{"type":"string"},"falsification_test":{"type":"string"},"if_test_passes":{"type":"string"},"if_test_fails":{"type":"string"},"if_test_compiles":{"type":"string"},"reference":{"type":"string"},"status":{"type":"string"}}},"kaniHarness":{"type":"object","required":["id","obligation"],"properties":{"id":{"type":["string","number"]},"obligation":{"type":["string","number"]},"property":{"type":"string"},"description":{"type":"string"},"bound":{"type":"integer","minimum":0},"sizes":{"type":"object","additionalProperties":{"anyOf":[{"type":"integer","minimum":1},{"type":"array","items":{"type":"integer","minimum":1},"minItems":1}]}},"assumes":{"type":"array","items":{"type":"string"},"minItems":1},"strategy":{"type":"string","enum":["auto","stub_float","exhaustive","bounded_int","compositional","interval","smt"]},"solver":{"type":"string"},"harness":{"type":"string"},"actually_verified":{"type":"boolean"}}},"kernelStructure":{"type":"object","properties":{"phases":{"type":"array","items":{"$ref":"#/$defs/phase"}}}},"phase":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"description":{"type":"string"},"invariant":{"type":"string"},"note":{"type":"string"},"applies_to":{"type":"string"},"gap_in_current_code":{"type":"string"}}},"qaGate":{"type":"object","properties":{"id":{"type":["string","number"]},"name":{"type":"string"},"description":{"type":"string"},"checks":{"type":"array","items":{"type":"string"}},"required_tests":{"type":"array","items":{"type":"string"}},"pass_criteria":{"type":"string"},"falsification":{"type":"string"},"mutants":{"type":"array","items":{"type":"string","pattern":"\\S"}},"equivalent_mutants":{"type":"array","items":{"$ref":"#/$defs/equivalentMutant"}},"min_coverage":{"type":"number","minimum":0,"maximum":100},"coverage_threshold":{"type":"number","minimum":0,"maximum":100},"max_complexity":{"type":"number","minimum":0},"complexity_threshold":{"type":"number","minimum":0}}},"equivalentMutant":{"type":"object","required":["mutant","reason"],"properties":{"mutant":{"type":"string","pattern":"\\S"},"equation":{"type":"string"},"reason":{"type":"string","pattern":"\\S"}}},"enforcementRule":{"type":"object","properties":{"description":{"type":"string"},"check":{"type":"string"},"severity":{"type":"string","enum":["ERROR","WARNING","CRITICAL","INFO"]},"reference":{"type":"string"}}},"lean":{"type":"object","properties":{"theorem":{"type":"string"},"module":{"type":"string"},"status":{"type":"string","enum":["proved","sorry","wip","not-applicable"]},"depends_on":{"type":"array","items":{"type":"string"}},"mathlib_imports":{"type":"array","items":{"type":"string"}},"notes":{"type":"string"}}},"data":{"type":"object","required":["kind","domain"],"properties":{"kind":{"type":"string","enum":["config","log","trace"]},"domain":{"type":"string"},"required":{"type":"array","items":{"type":"string","pattern":"\\S"}},"inputs":{"type":"object","additionalProperties":{"$ref":"#/$defs/dataInput"}}}},"dataInput":{"type":"object","properties":{"meaning":{"type":"string"},"from":{"type":"string"},"default":{"type":["string","number","boolean"]},"mend":{"type":"string","enum":["increase","decrease","any"]}}}}};
const schema32 = {"type":"object","required":["version","description"],"properties":{"version":{"type":["string","number"]},"description":{"type":"string"},"kind":{"type":"string","enum":["kernel","registry","model-family","model-family-variant","tokenizer","training-loop","pretraining-corpus","training-precondition-gate","corpus-assembly","pattern","schema","beat-benchmark","kaizen","data","composition"]},"created":{"type":"string"},"updated":{"type":"string"},"last_modified":{"type":"string"},"author":{"type":"string"},"references":{"type":"array","items":{"type":"string","pattern":"\\S"}},"depends_on":{"type":"array","items":{"type":"string","pattern":"\\S"}},"changelog":{"type":"array","items":{"type":["string","object"]}},"lessons_learned":{"type":"array","items":{"type":"string"}},"issues":{"type":["array","string"]},"registry":{"type":"boolean"},"enforcement_level":{"type":"string","enum":["basic","standard","strict","proven"]},"locked_level":{"type":["string","number"]},"proved_type":{"type":"string"},"applies_to":{"type":"array","items":{"type":"string"}},"parent_contract":{"type":"string"},"peer_contracts":{"type":"array","items":{"type":"string"}},"competitor":{"type":"string"},"demand_score":{"type":"number"},"intake_status":{"type":"string"}}};
const schema33 = {"type":"object","required":["formula"],"properties":{"description":{"type":"string"},"formula":{"type":"string"},"domain":{"type":"string"},"codomain":{"type":"string"},"invariants":{"type":"array","items":{"type":"string"}},"preconditions":{"type":"array","items":{"type":"string"}},"postconditions":{"type":"array","items":{"type":"string"}},"references":{"type":"array","items":{"type":"string","pattern":"\\S"}},"lean_theorem":{"type":"string"},"float_tolerance":{"type":["number","object","string"]},"measured":{"type":["string","object","array","number"]},"assumes":{"type":"object"},"guarantees":{"type":"object"},"properties":{"type":"array"},"tolerance_table":{"type":["object","array"]}}};
const schema42 = {"type":"object","required":["id","obligation"],"properties":{"id":{"type":["string","number"]},"obligation":{"type":["string","number"]},"property":{"type":"string"},"description":{"type":"string"},"bound":{"type":"integer","minimum":0},"sizes":{"type":"object","additionalProperties":{"anyOf":[{"type":"integer","minimum":1},{"type":"array","items":{"type":"integer","minimum":1},"minItems":1}]}},"assumes":{"type":"array","items":{"type":"string"},"minItems":1},"strategy":{"type":"string","enum":["auto","stub_float","exhaustive","bounded_int","compositional","interval","smt"]},"solver":{"type":"string"},"harness":{"type":"string"},"actually_verified":{"type":"boolean"}}};
const schema47 = {"type":"object","properties":{"description":{"type":"string"},"check":{"type":"string"},"severity":{"type":"string","enum":["ERROR","WARNING","CRITICAL","INFO"]},"reference":{"type":"string"}}};
const pattern4 = new RegExp("\\S", "u");
const schema34 = {"type":"object","required":["kind","domain"],"properties":{"kind":{"type":"string","enum":["config","log","trace"]},"domain":{"type":"string"},"required":{"type":"array","items":{"type":"string","pattern":"\\S"}},"inputs":{"type":"object","additionalProperties":{"$ref":"#/$defs/dataInput"}}}};
const schema35 = {"type":"object","properties":{"meaning":{"type":"string"},"from":{"type":"string"},"default":{"type":["string","number","boolean"]},"mend":{"type":"string","enum":["increase","decrease","any"]}}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.domain === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "domain"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.kind !== undefined){
let data0 = data.kind;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!(((data0 === "config") || (data0 === "log")) || (data0 === "trace"))){
const err3 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema34.properties.kind.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.domain !== undefined){
if(typeof data.domain !== "string"){
const err4 = {instancePath:instancePath+"/domain",schemaPath:"#/properties/domain/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.required !== undefined){
let data2 = data.required;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(typeof data3 === "string"){
if(!pattern4.test(data3)){
const err5 = {instancePath:instancePath+"/required/" + i0,schemaPath:"#/properties/required/items/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/required/" + i0,schemaPath:"#/properties/required/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/required",schemaPath:"#/properties/required/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.inputs !== undefined){
let data4 = data.inputs;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key0 in data4){
let data5 = data4[key0];
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.meaning !== undefined){
if(typeof data5.meaning !== "string"){
const err8 = {instancePath:instancePath+"/inputs/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/meaning",schemaPath:"#/$defs/dataInput/properties/meaning/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data5.from !== undefined){
if(typeof data5.from !== "string"){
const err9 = {instancePath:instancePath+"/inputs/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/from",schemaPath:"#/$defs/dataInput/properties/from/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data5.default !== undefined){
let data8 = data5.default;
if(((typeof data8 !== "string") && (!((typeof data8 == "number") && (isFinite(data8))))) && (typeof data8 !== "boolean")){
const err10 = {instancePath:instancePath+"/inputs/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/default",schemaPath:"#/$defs/dataInput/properties/default/type",keyword:"type",params:{type: schema35.properties.default.type}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data5.mend !== undefined){
let data9 = data5.mend;
if(typeof data9 !== "string"){
const err11 = {instancePath:instancePath+"/inputs/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/mend",schemaPath:"#/$defs/dataInput/properties/mend/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!(((data9 === "increase") || (data9 === "decrease")) || (data9 === "any"))){
const err12 = {instancePath:instancePath+"/inputs/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/mend",schemaPath:"#/$defs/dataInput/properties/mend/enum",keyword:"enum",params:{allowedValues: schema35.properties.mend.enum}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/inputs/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/dataInput/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":{"kind":true,"domain":true,"required":true,"inputs":true},"dynamicProps":false,"dynamicItems":false};

const schema36 = {"type":"object","required":["type","property"],"properties":{"id":{"type":["string","number"]},"type":{"type":"string","enum":["invariant","bound","equivalence","monotonicity","conservation","ordering","idempotency","linearity","completeness","soundness","symmetry","associativity","involution","determinism","roundtrip","state_machine","classification","independence","termination","precondition","postcondition","frame","loop_invariant","loop_variant","old_state","subcontract"]},"property":{"type":"string","pattern":"\\S"},"formal":{"type":"string"},"requires":{"type":["array","string"],"items":{"type":"string"}},"tolerance":{"$ref":"#/$defs/tolerance"},"semantics":{"type":"string","enum":["real","ieee","ulp","statistical"]},"applies_to":{"type":"string"},"equation":{"type":"string"},"about":{"type":"string","enum":["kernel","mathematics","data"]},"if_fails":{"type":"string"},"diagnosis":{"$ref":"#/$defs/diagnosis"},"methods":{"$ref":"#/$defs/methods"},"lean":{"$ref":"#/$defs/lean"},"rationale":{"type":"string"},"proof_level":{"type":["string","number"]},"applies_to_phase":{"type":"string"},"parent_contract":{"type":"string"},"na_reason":{"type":"string"},"na_owner":{"type":"string"},"statement":{"type":"string"},"discharged_by":{"type":["string","array"]},"prose":{"type":"string"}}};
const schema38 = {"type":"object","properties":{"granularity":{"type":"string","enum":["kernel","block","transfer","loop"]},"scope":{"type":"string","enum":["local","global"]},"nature":{"type":"string","enum":["static","dynamic"]},"caused_by":{"type":"array","items":{"type":"string","pattern":"\\S"}}}};
const schema39 = {"type":"object","properties":{"property":{"type":"object","properties":{"cases":{"type":"integer","minimum":1,"maximum":100000000},"seed":{"type":"integer","minimum":0,"maximum":4294967295}}},"bounded":{"type":"object","properties":{"strategy":{"type":"string","enum":["auto","exhaustive","interval","smt","stub_float","bounded_int","compositional"]},"n":{"type":"integer","minimum":1},"timeout":{"type":"number","exclusiveMinimum":0}}},"proof":{"type":"object","properties":{"unbounded":{"type":["array","string"],"items":{"type":"string"}},"unbounded_above":{"type":["array","string"],"items":{"type":"string"}}}},"statistical":{"type":"object","required":["random"],"properties":{"random":{"type":["array","string"],"items":{"type":"string"}},"draws":{"type":"integer","minimum":100,"maximum":10000000},"settings":{"type":"integer","minimum":1,"maximum":1000},"alpha":{"type":"number","exclusiveMinimum":0,"maximum":0.1}}}}};
const schema40 = {"type":"object","properties":{"theorem":{"type":"string"},"module":{"type":"string"},"status":{"type":"string","enum":["proved","sorry","wip","not-applicable"]},"depends_on":{"type":"array","items":{"type":"string"}},"mathlib_imports":{"type":"array","items":{"type":"string"}},"notes":{"type":"string"}}};
const schema37 = {"type":["number","object"],"minimum":0,"minProperties":1,"dependentRequired":{"envelope":["cond"]},"properties":{"abs":{"type":"number","minimum":0},"rel":{"type":"number","minimum":0},"ulp":{"type":"number","minimum":0},"cond":{"type":"number","minimum":0},"envelope":{"type":"string","enum":["wgsl"]},"per":{"type":"string"},"backends":{"type":"object","properties":{"ref64":{"$ref":"#/$defs/tolerance"},"ref32":{"$ref":"#/$defs/tolerance"},"gpujs-cpu":{"$ref":"#/$defs/tolerance"},"gpujs-webasm":{"$ref":"#/$defs/tolerance"},"gpu":{"$ref":"#/$defs/tolerance"},"webgl2":{"$ref":"#/$defs/tolerance"},"webgpu":{"$ref":"#/$defs/tolerance"},"webgpu-browser":{"$ref":"#/$defs/tolerance"},"function":{"$ref":"#/$defs/tolerance"}}}}};
const wrapper0 = {validate: validate24};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!((typeof data == "number") && (isFinite(data)))) && (!(data && typeof data == "object" && !Array.isArray(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema37.type}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data == "number") && (isFinite(data))){
if(data < 0 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
const err2 = {instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.abs !== undefined){
let data0 = data.abs;
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/abs",schemaPath:"#/properties/abs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/abs",schemaPath:"#/properties/abs/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.rel !== undefined){
let data1 = data.rel;
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
const err5 = {instancePath:instancePath+"/rel",schemaPath:"#/properties/rel/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/rel",schemaPath:"#/properties/rel/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.ulp !== undefined){
let data2 = data.ulp;
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/ulp",schemaPath:"#/properties/ulp/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/ulp",schemaPath:"#/properties/ulp/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.cond !== undefined){
let data3 = data.cond;
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/cond",schemaPath:"#/properties/cond/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/cond",schemaPath:"#/properties/cond/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.envelope !== undefined){
let data4 = data.envelope;
if(typeof data4 !== "string"){
const err11 = {instancePath:instancePath+"/envelope",schemaPath:"#/properties/envelope/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!(data4 === "wgsl")){
const err12 = {instancePath:instancePath+"/envelope",schemaPath:"#/properties/envelope/enum",keyword:"enum",params:{allowedValues: schema37.properties.envelope.enum}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.per !== undefined){
if(typeof data.per !== "string"){
const err13 = {instancePath:instancePath+"/per",schemaPath:"#/properties/per/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.backends !== undefined){
let data6 = data.backends;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.ref64 !== undefined){
if(!(wrapper0.validate(data6.ref64, {instancePath:instancePath+"/backends/ref64",parentData:data6,parentDataProperty:"ref64",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6.ref32 !== undefined){
if(!(wrapper0.validate(data6.ref32, {instancePath:instancePath+"/backends/ref32",parentData:data6,parentDataProperty:"ref32",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6["gpujs-cpu"] !== undefined){
if(!(wrapper0.validate(data6["gpujs-cpu"], {instancePath:instancePath+"/backends/gpujs-cpu",parentData:data6,parentDataProperty:"gpujs-cpu",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6["gpujs-webasm"] !== undefined){
if(!(wrapper0.validate(data6["gpujs-webasm"], {instancePath:instancePath+"/backends/gpujs-webasm",parentData:data6,parentDataProperty:"gpujs-webasm",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6.gpu !== undefined){
if(!(wrapper0.validate(data6.gpu, {instancePath:instancePath+"/backends/gpu",parentData:data6,parentDataProperty:"gpu",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6.webgl2 !== undefined){
if(!(wrapper0.validate(data6.webgl2, {instancePath:instancePath+"/backends/webgl2",parentData:data6,parentDataProperty:"webgl2",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6.webgpu !== undefined){
if(!(wrapper0.validate(data6.webgpu, {instancePath:instancePath+"/backends/webgpu",parentData:data6,parentDataProperty:"webgpu",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6["webgpu-browser"] !== undefined){
if(!(wrapper0.validate(data6["webgpu-browser"], {instancePath:instancePath+"/backends/webgpu-browser",parentData:data6,parentDataProperty:"webgpu-browser",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data6.function !== undefined){
if(!(wrapper0.validate(data6.function, {instancePath:instancePath+"/backends/function",parentData:data6,parentDataProperty:"function",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
const err14 = {instancePath:instancePath+"/backends",schemaPath:"#/properties/backends/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.envelope !== undefined){
if(data.cond === undefined){
const err15 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "envelope",
    missingProperty: "cond",
    depsCount: 1,
    deps: "cond"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":{"abs":true,"rel":true,"ulp":true,"cond":true,"envelope":true,"per":true,"backends":true},"dynamicProps":false,"dynamicItems":false};


function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.property === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "property"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.id !== undefined){
let data0 = data.id;
if((typeof data0 !== "string") && (!((typeof data0 == "number") && (isFinite(data0))))){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: schema36.properties.id.type}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.type !== undefined){
let data1 = data.type;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((((((((((((((((((((((((data1 === "invariant") || (data1 === "bound")) || (data1 === "equivalence")) || (data1 === "monotonicity")) || (data1 === "conservation")) || (data1 === "ordering")) || (data1 === "idempotency")) || (data1 === "linearity")) || (data1 === "completeness")) || (data1 === "soundness")) || (data1 === "symmetry")) || (data1 === "associativity")) || (data1 === "involution")) || (data1 === "determinism")) || (data1 === "roundtrip")) || (data1 === "state_machine")) || (data1 === "classification")) || (data1 === "independence")) || (data1 === "termination")) || (data1 === "precondition")) || (data1 === "postcondition")) || (data1 === "frame")) || (data1 === "loop_invariant")) || (data1 === "loop_variant")) || (data1 === "old_state")) || (data1 === "subcontract"))){
const err4 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema36.properties.type.enum}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.property !== undefined){
let data2 = data.property;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err5 = {instancePath:instancePath+"/property",schemaPath:"#/properties/property/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/property",schemaPath:"#/properties/property/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.formal !== undefined){
if(typeof data.formal !== "string"){
const err7 = {instancePath:instancePath+"/formal",schemaPath:"#/properties/formal/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.requires !== undefined){
let data4 = data.requires;
if((!(Array.isArray(data4))) && (typeof data4 !== "string")){
const err8 = {instancePath:instancePath+"/requires",schemaPath:"#/properties/requires/type",keyword:"type",params:{type: schema36.properties.requires.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
if(typeof data4[i0] !== "string"){
const err9 = {instancePath:instancePath+"/requires/" + i0,schemaPath:"#/properties/requires/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
if(data.tolerance !== undefined){
if(!(validate24(data.tolerance, {instancePath:instancePath+"/tolerance",parentData:data,parentDataProperty:"tolerance",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
}
if(data.semantics !== undefined){
let data7 = data.semantics;
if(typeof data7 !== "string"){
const err10 = {instancePath:instancePath+"/semantics",schemaPath:"#/properties/semantics/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!((((data7 === "real") || (data7 === "ieee")) || (data7 === "ulp")) || (data7 === "statistical"))){
const err11 = {instancePath:instancePath+"/semantics",schemaPath:"#/properties/semantics/enum",keyword:"enum",params:{allowedValues: schema36.properties.semantics.enum}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.applies_to !== undefined){
if(typeof data.applies_to !== "string"){
const err12 = {instancePath:instancePath+"/applies_to",schemaPath:"#/properties/applies_to/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.equation !== undefined){
if(typeof data.equation !== "string"){
const err13 = {instancePath:instancePath+"/equation",schemaPath:"#/properties/equation/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.about !== undefined){
let data10 = data.about;
if(typeof data10 !== "string"){
const err14 = {instancePath:instancePath+"/about",schemaPath:"#/properties/about/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!(((data10 === "kernel") || (data10 === "mathematics")) || (data10 === "data"))){
const err15 = {instancePath:instancePath+"/about",schemaPath:"#/properties/about/enum",keyword:"enum",params:{allowedValues: schema36.properties.about.enum}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.if_fails !== undefined){
if(typeof data.if_fails !== "string"){
const err16 = {instancePath:instancePath+"/if_fails",schemaPath:"#/properties/if_fails/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.diagnosis !== undefined){
let data12 = data.diagnosis;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.granularity !== undefined){
let data13 = data12.granularity;
if(typeof data13 !== "string"){
const err17 = {instancePath:instancePath+"/diagnosis/granularity",schemaPath:"#/$defs/diagnosis/properties/granularity/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!((((data13 === "kernel") || (data13 === "block")) || (data13 === "transfer")) || (data13 === "loop"))){
const err18 = {instancePath:instancePath+"/diagnosis/granularity",schemaPath:"#/$defs/diagnosis/properties/granularity/enum",keyword:"enum",params:{allowedValues: schema38.properties.granularity.enum}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data12.scope !== undefined){
let data14 = data12.scope;
if(typeof data14 !== "string"){
const err19 = {instancePath:instancePath+"/diagnosis/scope",schemaPath:"#/$defs/diagnosis/properties/scope/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!((data14 === "local") || (data14 === "global"))){
const err20 = {instancePath:instancePath+"/diagnosis/scope",schemaPath:"#/$defs/diagnosis/properties/scope/enum",keyword:"enum",params:{allowedValues: schema38.properties.scope.enum}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data12.nature !== undefined){
let data15 = data12.nature;
if(typeof data15 !== "string"){
const err21 = {instancePath:instancePath+"/diagnosis/nature",schemaPath:"#/$defs/diagnosis/properties/nature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(!((data15 === "static") || (data15 === "dynamic"))){
const err22 = {instancePath:instancePath+"/diagnosis/nature",schemaPath:"#/$defs/diagnosis/properties/nature/enum",keyword:"enum",params:{allowedValues: schema38.properties.nature.enum}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data12.caused_by !== undefined){
let data16 = data12.caused_by;
if(Array.isArray(data16)){
const len1 = data16.length;
for(let i1=0; i1<len1; i1++){
let data17 = data16[i1];
if(typeof data17 === "string"){
if(!pattern4.test(data17)){
const err23 = {instancePath:instancePath+"/diagnosis/caused_by/" + i1,schemaPath:"#/$defs/diagnosis/properties/caused_by/items/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/diagnosis/caused_by/" + i1,schemaPath:"#/$defs/diagnosis/properties/caused_by/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {instancePath:instancePath+"/diagnosis/caused_by",schemaPath:"#/$defs/diagnosis/properties/caused_by/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/diagnosis",schemaPath:"#/$defs/diagnosis/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.methods !== undefined){
let data18 = data.methods;
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.property !== undefined){
let data19 = data18.property;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(data19.cases !== undefined){
let data20 = data19.cases;
if(!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))){
const err27 = {instancePath:instancePath+"/methods/property/cases",schemaPath:"#/$defs/methods/properties/property/properties/cases/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 100000000 || isNaN(data20)){
const err28 = {instancePath:instancePath+"/methods/property/cases",schemaPath:"#/$defs/methods/properties/property/properties/cases/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100000000}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data20 < 1 || isNaN(data20)){
const err29 = {instancePath:instancePath+"/methods/property/cases",schemaPath:"#/$defs/methods/properties/property/properties/cases/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
if(data19.seed !== undefined){
let data21 = data19.seed;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err30 = {instancePath:instancePath+"/methods/property/seed",schemaPath:"#/$defs/methods/properties/property/properties/seed/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 4294967295 || isNaN(data21)){
const err31 = {instancePath:instancePath+"/methods/property/seed",schemaPath:"#/$defs/methods/properties/property/properties/seed/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4294967295}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data21 < 0 || isNaN(data21)){
const err32 = {instancePath:instancePath+"/methods/property/seed",schemaPath:"#/$defs/methods/properties/property/properties/seed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
}
else {
const err33 = {instancePath:instancePath+"/methods/property",schemaPath:"#/$defs/methods/properties/property/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data18.bounded !== undefined){
let data22 = data18.bounded;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.strategy !== undefined){
let data23 = data22.strategy;
if(typeof data23 !== "string"){
const err34 = {instancePath:instancePath+"/methods/bounded/strategy",schemaPath:"#/$defs/methods/properties/bounded/properties/strategy/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(!(((((((data23 === "auto") || (data23 === "exhaustive")) || (data23 === "interval")) || (data23 === "smt")) || (data23 === "stub_float")) || (data23 === "bounded_int")) || (data23 === "compositional"))){
const err35 = {instancePath:instancePath+"/methods/bounded/strategy",schemaPath:"#/$defs/methods/properties/bounded/properties/strategy/enum",keyword:"enum",params:{allowedValues: schema39.properties.bounded.properties.strategy.enum}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data22.n !== undefined){
let data24 = data22.n;
if(!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))){
const err36 = {instancePath:instancePath+"/methods/bounded/n",schemaPath:"#/$defs/methods/properties/bounded/properties/n/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 1 || isNaN(data24)){
const err37 = {instancePath:instancePath+"/methods/bounded/n",schemaPath:"#/$defs/methods/properties/bounded/properties/n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
if(data22.timeout !== undefined){
let data25 = data22.timeout;
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 <= 0 || isNaN(data25)){
const err38 = {instancePath:instancePath+"/methods/bounded/timeout",schemaPath:"#/$defs/methods/properties/bounded/properties/timeout/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
else {
const err39 = {instancePath:instancePath+"/methods/bounded/timeout",schemaPath:"#/$defs/methods/properties/bounded/properties/timeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
else {
const err40 = {instancePath:instancePath+"/methods/bounded",schemaPath:"#/$defs/methods/properties/bounded/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data18.proof !== undefined){
let data26 = data18.proof;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.unbounded !== undefined){
let data27 = data26.unbounded;
if((!(Array.isArray(data27))) && (typeof data27 !== "string")){
const err41 = {instancePath:instancePath+"/methods/proof/unbounded",schemaPath:"#/$defs/methods/properties/proof/properties/unbounded/type",keyword:"type",params:{type: schema39.properties.proof.properties.unbounded.type}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(Array.isArray(data27)){
const len2 = data27.length;
for(let i2=0; i2<len2; i2++){
if(typeof data27[i2] !== "string"){
const err42 = {instancePath:instancePath+"/methods/proof/unbounded/" + i2,schemaPath:"#/$defs/methods/properties/proof/properties/unbounded/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
}
if(data26.unbounded_above !== undefined){
let data29 = data26.unbounded_above;
if((!(Array.isArray(data29))) && (typeof data29 !== "string")){
const err43 = {instancePath:instancePath+"/methods/proof/unbounded_above",schemaPath:"#/$defs/methods/properties/proof/properties/unbounded_above/type",keyword:"type",params:{type: schema39.properties.proof.properties.unbounded_above.type}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(Array.isArray(data29)){
const len3 = data29.length;
for(let i3=0; i3<len3; i3++){
if(typeof data29[i3] !== "string"){
const err44 = {instancePath:instancePath+"/methods/proof/unbounded_above/" + i3,schemaPath:"#/$defs/methods/properties/proof/properties/unbounded_above/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
}
}
else {
const err45 = {instancePath:instancePath+"/methods/proof",schemaPath:"#/$defs/methods/properties/proof/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data18.statistical !== undefined){
let data31 = data18.statistical;
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
if(data31.random === undefined){
const err46 = {instancePath:instancePath+"/methods/statistical",schemaPath:"#/$defs/methods/properties/statistical/required",keyword:"required",params:{missingProperty: "random"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(data31.random !== undefined){
let data32 = data31.random;
if((!(Array.isArray(data32))) && (typeof data32 !== "string")){
const err47 = {instancePath:instancePath+"/methods/statistical/random",schemaPath:"#/$defs/methods/properties/statistical/properties/random/type",keyword:"type",params:{type: schema39.properties.statistical.properties.random.type}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(Array.isArray(data32)){
const len4 = data32.length;
for(let i4=0; i4<len4; i4++){
if(typeof data32[i4] !== "string"){
const err48 = {instancePath:instancePath+"/methods/statistical/random/" + i4,schemaPath:"#/$defs/methods/properties/statistical/properties/random/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
}
if(data31.draws !== undefined){
let data34 = data31.draws;
if(!(((typeof data34 == "number") && (!(data34 % 1) && !isNaN(data34))) && (isFinite(data34)))){
const err49 = {instancePath:instancePath+"/methods/statistical/draws",schemaPath:"#/$defs/methods/properties/statistical/properties/draws/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if((typeof data34 == "number") && (isFinite(data34))){
if(data34 > 10000000 || isNaN(data34)){
const err50 = {instancePath:instancePath+"/methods/statistical/draws",schemaPath:"#/$defs/methods/properties/statistical/properties/draws/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(data34 < 100 || isNaN(data34)){
const err51 = {instancePath:instancePath+"/methods/statistical/draws",schemaPath:"#/$defs/methods/properties/statistical/properties/draws/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
}
if(data31.settings !== undefined){
let data35 = data31.settings;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err52 = {instancePath:instancePath+"/methods/statistical/settings",schemaPath:"#/$defs/methods/properties/statistical/properties/settings/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 > 1000 || isNaN(data35)){
const err53 = {instancePath:instancePath+"/methods/statistical/settings",schemaPath:"#/$defs/methods/properties/statistical/properties/settings/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(data35 < 1 || isNaN(data35)){
const err54 = {instancePath:instancePath+"/methods/statistical/settings",schemaPath:"#/$defs/methods/properties/statistical/properties/settings/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
}
if(data31.alpha !== undefined){
let data36 = data31.alpha;
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 > 0.1 || isNaN(data36)){
const err55 = {instancePath:instancePath+"/methods/statistical/alpha",schemaPath:"#/$defs/methods/properties/statistical/properties/alpha/maximum",keyword:"maximum",params:{comparison: "<=", limit: 0.1}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(data36 <= 0 || isNaN(data36)){
const err56 = {instancePath:instancePath+"/methods/statistical/alpha",schemaPath:"#/$defs/methods/properties/statistical/properties/alpha/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/methods/statistical/alpha",schemaPath:"#/$defs/methods/properties/statistical/properties/alpha/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/methods/statistical",schemaPath:"#/$defs/methods/properties/statistical/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
}
else {
const err59 = {instancePath:instancePath+"/methods",schemaPath:"#/$defs/methods/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data.lean !== undefined){
let data37 = data.lean;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
if(data37.theorem !== undefined){
if(typeof data37.theorem !== "string"){
const err60 = {instancePath:instancePath+"/lean/theorem",schemaPath:"#/$defs/lean/properties/theorem/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data37.module !== undefined){
if(typeof data37.module !== "string"){
const err61 = {instancePath:instancePath+"/lean/module",schemaPath:"#/$defs/lean/properties/module/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data37.status !== undefined){
let data40 = data37.status;
if(typeof data40 !== "string"){
const err62 = {instancePath:instancePath+"/lean/status",schemaPath:"#/$defs/lean/properties/status/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(!((((data40 === "proved") || (data40 === "sorry")) || (data40 === "wip")) || (data40 === "not-applicable"))){
const err63 = {instancePath:instancePath+"/lean/status",schemaPath:"#/$defs/lean/properties/status/enum",keyword:"enum",params:{allowedValues: schema40.properties.status.enum}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data37.depends_on !== undefined){
let data41 = data37.depends_on;
if(Array.isArray(data41)){
const len5 = data41.length;
for(let i5=0; i5<len5; i5++){
if(typeof data41[i5] !== "string"){
const err64 = {instancePath:instancePath+"/lean/depends_on/" + i5,schemaPath:"#/$defs/lean/properties/depends_on/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
}
else {
const err65 = {instancePath:instancePath+"/lean/depends_on",schemaPath:"#/$defs/lean/properties/depends_on/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data37.mathlib_imports !== undefined){
let data43 = data37.mathlib_imports;
if(Array.isArray(data43)){
const len6 = data43.length;
for(let i6=0; i6<len6; i6++){
if(typeof data43[i6] !== "string"){
const err66 = {instancePath:instancePath+"/lean/mathlib_imports/" + i6,schemaPath:"#/$defs/lean/properties/mathlib_imports/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
}
else {
const err67 = {instancePath:instancePath+"/lean/mathlib_imports",schemaPath:"#/$defs/lean/properties/mathlib_imports/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data37.notes !== undefined){
if(typeof data37.notes !== "string"){
const err68 = {instancePath:instancePath+"/lean/notes",schemaPath:"#/$defs/lean/properties/notes/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
else {
const err69 = {instancePath:instancePath+"/lean",schemaPath:"#/$defs/lean/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data.rationale !== undefined){
if(typeof data.rationale !== "string"){
const err70 = {instancePath:instancePath+"/rationale",schemaPath:"#/properties/rationale/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
if(data.proof_level !== undefined){
let data47 = data.proof_level;
if((typeof data47 !== "string") && (!((typeof data47 == "number") && (isFinite(data47))))){
const err71 = {instancePath:instancePath+"/proof_level",schemaPath:"#/properties/proof_level/type",keyword:"type",params:{type: schema36.properties.proof_level.type}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data.applies_to_phase !== undefined){
if(typeof data.applies_to_phase !== "string"){
const err72 = {instancePath:instancePath+"/applies_to_phase",schemaPath:"#/properties/applies_to_phase/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
if(data.parent_contract !== undefined){
if(typeof data.parent_contract !== "string"){
const err73 = {instancePath:instancePath+"/parent_contract",schemaPath:"#/properties/parent_contract/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
if(data.na_reason !== undefined){
if(typeof data.na_reason !== "string"){
const err74 = {instancePath:instancePath+"/na_reason",schemaPath:"#/properties/na_reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data.na_owner !== undefined){
if(typeof data.na_owner !== "string"){
const err75 = {instancePath:instancePath+"/na_owner",schemaPath:"#/properties/na_owner/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data.statement !== undefined){
if(typeof data.statement !== "string"){
const err76 = {instancePath:instancePath+"/statement",schemaPath:"#/properties/statement/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data.discharged_by !== undefined){
let data53 = data.discharged_by;
if((typeof data53 !== "string") && (!(Array.isArray(data53)))){
const err77 = {instancePath:instancePath+"/discharged_by",schemaPath:"#/properties/discharged_by/type",keyword:"type",params:{type: schema36.properties.discharged_by.type}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data.prose !== undefined){
if(typeof data.prose !== "string"){
const err78 = {instancePath:instancePath+"/prose",schemaPath:"#/properties/prose/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
}
else {
const err79 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":{"id":true,"type":true,"property":true,"formal":true,"requires":true,"tolerance":true,"semantics":true,"applies_to":true,"equation":true,"about":true,"if_fails":true,"diagnosis":true,"methods":true,"lean":true,"rationale":true,"proof_level":true,"applies_to_phase":true,"parent_contract":true,"na_reason":true,"na_owner":true,"statement":true,"discharged_by":true,"prose":true},"dynamicProps":false,"dynamicItems":false};

const schema41 = {"type":"object","required":["id"],"properties":{"id":{"type":["string","number"]},"name":{"type":"string"},"rule":{"type":"string"},"description":{"type":"string"},"obligation":{"type":["string","number"]},"prediction":{"type":"string"},"expected":{"type":"string"},"given":{"type":"string"},"data":{"type":"object","additionalProperties":{"type":["number","string","boolean","array"],"items":{"type":["number","string"],"pattern":"^[-+]?\\.(?:inf|nan)$"}}},"violates":{"type":"array","items":{"type":"string"}},"tolerance":{"$ref":"#/$defs/tolerance"},"semantics":{"type":"string","enum":["real","ieee","ulp"]},"test":{"type":"string"},"command":{"type":["string","array"]},"test_harness":{"type":"string"},"expected_output":{"type":"string"},"mutation":{"type":["string","object"]},"if_fails":{"type":"string"},"fails_if":{"type":"string"},"falsification_test":{"type":"string"},"if_test_passes":{"type":"string"},"if_test_fails":{"type":"string"},"if_test_compiles":{"type":"string"},"reference":{"type":"string"},"status":{"type":"string"}}};
const pattern10 = new RegExp("^[-+]?\\.(?:inf|nan)$", "u");

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.id !== undefined){
let data0 = data.id;
if((typeof data0 !== "string") && (!((typeof data0 == "number") && (isFinite(data0))))){
const err1 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: schema41.properties.id.type}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err2 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.rule !== undefined){
if(typeof data.rule !== "string"){
const err3 = {instancePath:instancePath+"/rule",schemaPath:"#/properties/rule/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err4 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.obligation !== undefined){
let data4 = data.obligation;
if((typeof data4 !== "string") && (!((typeof data4 == "number") && (isFinite(data4))))){
const err5 = {instancePath:instancePath+"/obligation",schemaPath:"#/properties/obligation/type",keyword:"type",params:{type: schema41.properties.obligation.type}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.prediction !== undefined){
if(typeof data.prediction !== "string"){
const err6 = {instancePath:instancePath+"/prediction",schemaPath:"#/properties/prediction/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.expected !== undefined){
if(typeof data.expected !== "string"){
const err7 = {instancePath:instancePath+"/expected",schemaPath:"#/properties/expected/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.given !== undefined){
if(typeof data.given !== "string"){
const err8 = {instancePath:instancePath+"/given",schemaPath:"#/properties/given/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.data !== undefined){
let data8 = data.data;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key0 in data8){
let data9 = data8[key0];
if((((!((typeof data9 == "number") && (isFinite(data9)))) && (typeof data9 !== "string")) && (typeof data9 !== "boolean")) && (!(Array.isArray(data9)))){
const err9 = {instancePath:instancePath+"/data/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/data/additionalProperties/type",keyword:"type",params:{type: schema41.properties.data.additionalProperties.type}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(Array.isArray(data9)){
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
let data10 = data9[i0];
if((!((typeof data10 == "number") && (isFinite(data10)))) && (typeof data10 !== "string")){
const err10 = {instancePath:instancePath+"/data/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0,schemaPath:"#/properties/data/additionalProperties/items/type",keyword:"type",params:{type: schema41.properties.data.additionalProperties.items.type}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(typeof data10 === "string"){
if(!pattern10.test(data10)){
const err11 = {instancePath:instancePath+"/data/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0,schemaPath:"#/properties/data/additionalProperties/items/pattern",keyword:"pattern",params:{pattern: "^[-+]?\\.(?:inf|nan)$"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
}
}
else {
const err12 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.violates !== undefined){
let data11 = data.violates;
if(Array.isArray(data11)){
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
if(typeof data11[i1] !== "string"){
const err13 = {instancePath:instancePath+"/violates/" + i1,schemaPath:"#/properties/violates/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/violates",schemaPath:"#/properties/violates/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.tolerance !== undefined){
if(!(validate24(data.tolerance, {instancePath:instancePath+"/tolerance",parentData:data,parentDataProperty:"tolerance",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
}
if(data.semantics !== undefined){
let data14 = data.semantics;
if(typeof data14 !== "string"){
const err15 = {instancePath:instancePath+"/semantics",schemaPath:"#/properties/semantics/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!(((data14 === "real") || (data14 === "ieee")) || (data14 === "ulp"))){
const err16 = {instancePath:instancePath+"/semantics",schemaPath:"#/properties/semantics/enum",keyword:"enum",params:{allowedValues: schema41.properties.semantics.enum}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.test !== undefined){
if(typeof data.test !== "string"){
const err17 = {instancePath:instancePath+"/test",schemaPath:"#/properties/test/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.command !== undefined){
let data16 = data.command;
if((typeof data16 !== "string") && (!(Array.isArray(data16)))){
const err18 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/type",keyword:"type",params:{type: schema41.properties.command.type}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.test_harness !== undefined){
if(typeof data.test_harness !== "string"){
const err19 = {instancePath:instancePath+"/test_harness",schemaPath:"#/properties/test_harness/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.expected_output !== undefined){
if(typeof data.expected_output !== "string"){
const err20 = {instancePath:instancePath+"/expected_output",schemaPath:"#/properties/expected_output/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.mutation !== undefined){
let data19 = data.mutation;
if((typeof data19 !== "string") && (!(data19 && typeof data19 == "object" && !Array.isArray(data19)))){
const err21 = {instancePath:instancePath+"/mutation",schemaPath:"#/properties/mutation/type",keyword:"type",params:{type: schema41.properties.mutation.type}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.if_fails !== undefined){
if(typeof data.if_fails !== "string"){
const err22 = {instancePath:instancePath+"/if_fails",schemaPath:"#/properties/if_fails/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.fails_if !== undefined){
if(typeof data.fails_if !== "string"){
const err23 = {instancePath:instancePath+"/fails_if",schemaPath:"#/properties/fails_if/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.falsification_test !== undefined){
if(typeof data.falsification_test !== "string"){
const err24 = {instancePath:instancePath+"/falsification_test",schemaPath:"#/properties/falsification_test/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.if_test_passes !== undefined){
if(typeof data.if_test_passes !== "string"){
const err25 = {instancePath:instancePath+"/if_test_passes",schemaPath:"#/properties/if_test_passes/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.if_test_fails !== undefined){
if(typeof data.if_test_fails !== "string"){
const err26 = {instancePath:instancePath+"/if_test_fails",schemaPath:"#/properties/if_test_fails/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.if_test_compiles !== undefined){
if(typeof data.if_test_compiles !== "string"){
const err27 = {instancePath:instancePath+"/if_test_compiles",schemaPath:"#/properties/if_test_compiles/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.reference !== undefined){
if(typeof data.reference !== "string"){
const err28 = {instancePath:instancePath+"/reference",schemaPath:"#/properties/reference/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.status !== undefined){
if(typeof data.status !== "string"){
const err29 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
else {
const err30 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":{"id":true,"name":true,"rule":true,"description":true,"obligation":true,"prediction":true,"expected":true,"given":true,"data":true,"violates":true,"tolerance":true,"semantics":true,"test":true,"command":true,"test_harness":true,"expected_output":true,"mutation":true,"if_fails":true,"fails_if":true,"falsification_test":true,"if_test_passes":true,"if_test_fails":true,"if_test_compiles":true,"reference":true,"status":true},"dynamicProps":false,"dynamicItems":false};

const schema43 = {"type":"object","properties":{"phases":{"type":"array","items":{"$ref":"#/$defs/phase"}}}};
const schema44 = {"type":"object","required":["name"],"properties":{"name":{"type":"string"},"description":{"type":"string"},"invariant":{"type":"string"},"note":{"type":"string"},"applies_to":{"type":"string"},"gap_in_current_code":{"type":"string"}}};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.phases !== undefined){
let data0 = data.phases;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.name === undefined){
const err0 = {instancePath:instancePath+"/phases/" + i0,schemaPath:"#/$defs/phase/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data1.name !== undefined){
if(typeof data1.name !== "string"){
const err1 = {instancePath:instancePath+"/phases/" + i0+"/name",schemaPath:"#/$defs/phase/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data1.description !== undefined){
if(typeof data1.description !== "string"){
const err2 = {instancePath:instancePath+"/phases/" + i0+"/description",schemaPath:"#/$defs/phase/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data1.invariant !== undefined){
if(typeof data1.invariant !== "string"){
const err3 = {instancePath:instancePath+"/phases/" + i0+"/invariant",schemaPath:"#/$defs/phase/properties/invariant/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data1.note !== undefined){
if(typeof data1.note !== "string"){
const err4 = {instancePath:instancePath+"/phases/" + i0+"/note",schemaPath:"#/$defs/phase/properties/note/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data1.applies_to !== undefined){
if(typeof data1.applies_to !== "string"){
const err5 = {instancePath:instancePath+"/phases/" + i0+"/applies_to",schemaPath:"#/$defs/phase/properties/applies_to/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.gap_in_current_code !== undefined){
if(typeof data1.gap_in_current_code !== "string"){
const err6 = {instancePath:instancePath+"/phases/" + i0+"/gap_in_current_code",schemaPath:"#/$defs/phase/properties/gap_in_current_code/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/phases/" + i0,schemaPath:"#/$defs/phase/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/phases",schemaPath:"#/properties/phases/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":{"phases":true},"dynamicProps":false,"dynamicItems":false};

const schema45 = {"type":"object","properties":{"id":{"type":["string","number"]},"name":{"type":"string"},"description":{"type":"string"},"checks":{"type":"array","items":{"type":"string"}},"required_tests":{"type":"array","items":{"type":"string"}},"pass_criteria":{"type":"string"},"falsification":{"type":"string"},"mutants":{"type":"array","items":{"type":"string","pattern":"\\S"}},"equivalent_mutants":{"type":"array","items":{"$ref":"#/$defs/equivalentMutant"}},"min_coverage":{"type":"number","minimum":0,"maximum":100},"coverage_threshold":{"type":"number","minimum":0,"maximum":100},"max_complexity":{"type":"number","minimum":0},"complexity_threshold":{"type":"number","minimum":0}}};
const schema46 = {"type":"object","required":["mutant","reason"],"properties":{"mutant":{"type":"string","pattern":"\\S"},"equation":{"type":"string"},"reason":{"type":"string","pattern":"\\S"}}};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id !== undefined){
let data0 = data.id;
if((typeof data0 !== "string") && (!((typeof data0 == "number") && (isFinite(data0))))){
const err0 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: schema45.properties.id.type}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err1 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err2 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.checks !== undefined){
let data3 = data.checks;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(typeof data3[i0] !== "string"){
const err3 = {instancePath:instancePath+"/checks/" + i0,schemaPath:"#/properties/checks/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath:instancePath+"/checks",schemaPath:"#/properties/checks/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.required_tests !== undefined){
let data5 = data.required_tests;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
if(typeof data5[i1] !== "string"){
const err5 = {instancePath:instancePath+"/required_tests/" + i1,schemaPath:"#/properties/required_tests/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/required_tests",schemaPath:"#/properties/required_tests/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.pass_criteria !== undefined){
if(typeof data.pass_criteria !== "string"){
const err7 = {instancePath:instancePath+"/pass_criteria",schemaPath:"#/properties/pass_criteria/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.falsification !== undefined){
if(typeof data.falsification !== "string"){
const err8 = {instancePath:instancePath+"/falsification",schemaPath:"#/properties/falsification/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.mutants !== undefined){
let data9 = data.mutants;
if(Array.isArray(data9)){
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
let data10 = data9[i2];
if(typeof data10 === "string"){
if(!pattern4.test(data10)){
const err9 = {instancePath:instancePath+"/mutants/" + i2,schemaPath:"#/properties/mutants/items/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/mutants/" + i2,schemaPath:"#/properties/mutants/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/mutants",schemaPath:"#/properties/mutants/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.equivalent_mutants !== undefined){
let data11 = data.equivalent_mutants;
if(Array.isArray(data11)){
const len3 = data11.length;
for(let i3=0; i3<len3; i3++){
let data12 = data11[i3];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.mutant === undefined){
const err12 = {instancePath:instancePath+"/equivalent_mutants/" + i3,schemaPath:"#/$defs/equivalentMutant/required",keyword:"required",params:{missingProperty: "mutant"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data12.reason === undefined){
const err13 = {instancePath:instancePath+"/equivalent_mutants/" + i3,schemaPath:"#/$defs/equivalentMutant/required",keyword:"required",params:{missingProperty: "reason"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data12.mutant !== undefined){
let data13 = data12.mutant;
if(typeof data13 === "string"){
if(!pattern4.test(data13)){
const err14 = {instancePath:instancePath+"/equivalent_mutants/" + i3+"/mutant",schemaPath:"#/$defs/equivalentMutant/properties/mutant/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/equivalent_mutants/" + i3+"/mutant",schemaPath:"#/$defs/equivalentMutant/properties/mutant/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data12.equation !== undefined){
if(typeof data12.equation !== "string"){
const err16 = {instancePath:instancePath+"/equivalent_mutants/" + i3+"/equation",schemaPath:"#/$defs/equivalentMutant/properties/equation/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data12.reason !== undefined){
let data15 = data12.reason;
if(typeof data15 === "string"){
if(!pattern4.test(data15)){
const err17 = {instancePath:instancePath+"/equivalent_mutants/" + i3+"/reason",schemaPath:"#/$defs/equivalentMutant/properties/reason/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/equivalent_mutants/" + i3+"/reason",schemaPath:"#/$defs/equivalentMutant/properties/reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/equivalent_mutants/" + i3,schemaPath:"#/$defs/equivalentMutant/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/equivalent_mutants",schemaPath:"#/properties/equivalent_mutants/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.min_coverage !== undefined){
let data16 = data.min_coverage;
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 100 || isNaN(data16)){
const err21 = {instancePath:instancePath+"/min_coverage",schemaPath:"#/properties/min_coverage/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(data16 < 0 || isNaN(data16)){
const err22 = {instancePath:instancePath+"/min_coverage",schemaPath:"#/properties/min_coverage/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/min_coverage",schemaPath:"#/properties/min_coverage/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.coverage_threshold !== undefined){
let data17 = data.coverage_threshold;
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 100 || isNaN(data17)){
const err24 = {instancePath:instancePath+"/coverage_threshold",schemaPath:"#/properties/coverage_threshold/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data17 < 0 || isNaN(data17)){
const err25 = {instancePath:instancePath+"/coverage_threshold",schemaPath:"#/properties/coverage_threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/coverage_threshold",schemaPath:"#/properties/coverage_threshold/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.max_complexity !== undefined){
let data18 = data.max_complexity;
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 0 || isNaN(data18)){
const err27 = {instancePath:instancePath+"/max_complexity",schemaPath:"#/properties/max_complexity/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/max_complexity",schemaPath:"#/properties/max_complexity/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.complexity_threshold !== undefined){
let data19 = data.complexity_threshold;
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 < 0 || isNaN(data19)){
const err29 = {instancePath:instancePath+"/complexity_threshold",schemaPath:"#/properties/complexity_threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/complexity_threshold",schemaPath:"#/properties/complexity_threshold/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"props":{"id":true,"name":true,"description":true,"checks":true,"required_tests":true,"pass_criteria":true,"falsification":true,"mutants":true,"equivalent_mutants":true,"min_coverage":true,"coverage_threshold":true,"max_complexity":true,"complexity_threshold":true},"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://provable-contracts.dev/schema/contract-1.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.metadata === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "metadata"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.metadata !== undefined){
let data0 = data.metadata;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.version === undefined){
const err1 = {instancePath:instancePath+"/metadata",schemaPath:"#/$defs/metadata/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.description === undefined){
const err2 = {instancePath:instancePath+"/metadata",schemaPath:"#/$defs/metadata/required",keyword:"required",params:{missingProperty: "description"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.version !== undefined){
let data1 = data0.version;
if((typeof data1 !== "string") && (!((typeof data1 == "number") && (isFinite(data1))))){
const err3 = {instancePath:instancePath+"/metadata/version",schemaPath:"#/$defs/metadata/properties/version/type",keyword:"type",params:{type: schema32.properties.version.type}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.description !== undefined){
if(typeof data0.description !== "string"){
const err4 = {instancePath:instancePath+"/metadata/description",schemaPath:"#/$defs/metadata/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data0.kind !== undefined){
let data3 = data0.kind;
if(typeof data3 !== "string"){
const err5 = {instancePath:instancePath+"/metadata/kind",schemaPath:"#/$defs/metadata/properties/kind/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((((((((((((data3 === "kernel") || (data3 === "registry")) || (data3 === "model-family")) || (data3 === "model-family-variant")) || (data3 === "tokenizer")) || (data3 === "training-loop")) || (data3 === "pretraining-corpus")) || (data3 === "training-precondition-gate")) || (data3 === "corpus-assembly")) || (data3 === "pattern")) || (data3 === "schema")) || (data3 === "beat-benchmark")) || (data3 === "kaizen")) || (data3 === "data")) || (data3 === "composition"))){
const err6 = {instancePath:instancePath+"/metadata/kind",schemaPath:"#/$defs/metadata/properties/kind/enum",keyword:"enum",params:{allowedValues: schema32.properties.kind.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.created !== undefined){
if(typeof data0.created !== "string"){
const err7 = {instancePath:instancePath+"/metadata/created",schemaPath:"#/$defs/metadata/properties/created/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data0.updated !== undefined){
if(typeof data0.updated !== "string"){
const err8 = {instancePath:instancePath+"/metadata/updated",schemaPath:"#/$defs/metadata/properties/updated/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data0.last_modified !== undefined){
if(typeof data0.last_modified !== "string"){
const err9 = {instancePath:instancePath+"/metadata/last_modified",schemaPath:"#/$defs/metadata/properties/last_modified/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data0.author !== undefined){
if(typeof data0.author !== "string"){
const err10 = {instancePath:instancePath+"/metadata/author",schemaPath:"#/$defs/metadata/properties/author/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data0.references !== undefined){
let data8 = data0.references;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
let data9 = data8[i0];
if(typeof data9 === "string"){
if(!pattern4.test(data9)){
const err11 = {instancePath:instancePath+"/metadata/references/" + i0,schemaPath:"#/$defs/metadata/properties/references/items/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/metadata/references/" + i0,schemaPath:"#/$defs/metadata/properties/references/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/metadata/references",schemaPath:"#/$defs/metadata/properties/references/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data0.depends_on !== undefined){
let data10 = data0.depends_on;
if(Array.isArray(data10)){
const len1 = data10.length;
for(let i1=0; i1<len1; i1++){
let data11 = data10[i1];
if(typeof data11 === "string"){
if(!pattern4.test(data11)){
const err14 = {instancePath:instancePath+"/metadata/depends_on/" + i1,schemaPath:"#/$defs/metadata/properties/depends_on/items/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/metadata/depends_on/" + i1,schemaPath:"#/$defs/metadata/properties/depends_on/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/metadata/depends_on",schemaPath:"#/$defs/metadata/properties/depends_on/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data0.changelog !== undefined){
let data12 = data0.changelog;
if(Array.isArray(data12)){
const len2 = data12.length;
for(let i2=0; i2<len2; i2++){
let data13 = data12[i2];
if((typeof data13 !== "string") && (!(data13 && typeof data13 == "object" && !Array.isArray(data13)))){
const err17 = {instancePath:instancePath+"/metadata/changelog/" + i2,schemaPath:"#/$defs/metadata/properties/changelog/items/type",keyword:"type",params:{type: schema32.properties.changelog.items.type}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/metadata/changelog",schemaPath:"#/$defs/metadata/properties/changelog/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data0.lessons_learned !== undefined){
let data14 = data0.lessons_learned;
if(Array.isArray(data14)){
const len3 = data14.length;
for(let i3=0; i3<len3; i3++){
if(typeof data14[i3] !== "string"){
const err19 = {instancePath:instancePath+"/metadata/lessons_learned/" + i3,schemaPath:"#/$defs/metadata/properties/lessons_learned/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/metadata/lessons_learned",schemaPath:"#/$defs/metadata/properties/lessons_learned/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data0.issues !== undefined){
let data16 = data0.issues;
if((!(Array.isArray(data16))) && (typeof data16 !== "string")){
const err21 = {instancePath:instancePath+"/metadata/issues",schemaPath:"#/$defs/metadata/properties/issues/type",keyword:"type",params:{type: schema32.properties.issues.type}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data0.registry !== undefined){
if(typeof data0.registry !== "boolean"){
const err22 = {instancePath:instancePath+"/metadata/registry",schemaPath:"#/$defs/metadata/properties/registry/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data0.enforcement_level !== undefined){
let data18 = data0.enforcement_level;
if(typeof data18 !== "string"){
const err23 = {instancePath:instancePath+"/metadata/enforcement_level",schemaPath:"#/$defs/metadata/properties/enforcement_level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(!((((data18 === "basic") || (data18 === "standard")) || (data18 === "strict")) || (data18 === "proven"))){
const err24 = {instancePath:instancePath+"/metadata/enforcement_level",schemaPath:"#/$defs/metadata/properties/enforcement_level/enum",keyword:"enum",params:{allowedValues: schema32.properties.enforcement_level.enum}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data0.locked_level !== undefined){
let data19 = data0.locked_level;
if((typeof data19 !== "string") && (!((typeof data19 == "number") && (isFinite(data19))))){
const err25 = {instancePath:instancePath+"/metadata/locked_level",schemaPath:"#/$defs/metadata/properties/locked_level/type",keyword:"type",params:{type: schema32.properties.locked_level.type}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data0.proved_type !== undefined){
if(typeof data0.proved_type !== "string"){
const err26 = {instancePath:instancePath+"/metadata/proved_type",schemaPath:"#/$defs/metadata/properties/proved_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data0.applies_to !== undefined){
let data21 = data0.applies_to;
if(Array.isArray(data21)){
const len4 = data21.length;
for(let i4=0; i4<len4; i4++){
if(typeof data21[i4] !== "string"){
const err27 = {instancePath:instancePath+"/metadata/applies_to/" + i4,schemaPath:"#/$defs/metadata/properties/applies_to/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath:instancePath+"/metadata/applies_to",schemaPath:"#/$defs/metadata/properties/applies_to/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data0.parent_contract !== undefined){
if(typeof data0.parent_contract !== "string"){
const err29 = {instancePath:instancePath+"/metadata/parent_contract",schemaPath:"#/$defs/metadata/properties/parent_contract/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data0.peer_contracts !== undefined){
let data24 = data0.peer_contracts;
if(Array.isArray(data24)){
const len5 = data24.length;
for(let i5=0; i5<len5; i5++){
if(typeof data24[i5] !== "string"){
const err30 = {instancePath:instancePath+"/metadata/peer_contracts/" + i5,schemaPath:"#/$defs/metadata/properties/peer_contracts/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath:instancePath+"/metadata/peer_contracts",schemaPath:"#/$defs/metadata/properties/peer_contracts/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data0.competitor !== undefined){
if(typeof data0.competitor !== "string"){
const err32 = {instancePath:instancePath+"/metadata/competitor",schemaPath:"#/$defs/metadata/properties/competitor/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data0.demand_score !== undefined){
let data27 = data0.demand_score;
if(!((typeof data27 == "number") && (isFinite(data27)))){
const err33 = {instancePath:instancePath+"/metadata/demand_score",schemaPath:"#/$defs/metadata/properties/demand_score/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data0.intake_status !== undefined){
if(typeof data0.intake_status !== "string"){
const err34 = {instancePath:instancePath+"/metadata/intake_status",schemaPath:"#/$defs/metadata/properties/intake_status/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/metadata",schemaPath:"#/$defs/metadata/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.equations !== undefined){
let data29 = data.equations;
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
for(const key0 in data29){
let data30 = data29[key0];
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
if(data30.formula === undefined){
const err36 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/equation/required",keyword:"required",params:{missingProperty: "formula"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data30.description !== undefined){
if(typeof data30.description !== "string"){
const err37 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/description",schemaPath:"#/$defs/equation/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data30.formula !== undefined){
if(typeof data30.formula !== "string"){
const err38 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/formula",schemaPath:"#/$defs/equation/properties/formula/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data30.domain !== undefined){
if(typeof data30.domain !== "string"){
const err39 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/domain",schemaPath:"#/$defs/equation/properties/domain/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data30.codomain !== undefined){
if(typeof data30.codomain !== "string"){
const err40 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/codomain",schemaPath:"#/$defs/equation/properties/codomain/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data30.invariants !== undefined){
let data35 = data30.invariants;
if(Array.isArray(data35)){
const len6 = data35.length;
for(let i6=0; i6<len6; i6++){
if(typeof data35[i6] !== "string"){
const err41 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/invariants/" + i6,schemaPath:"#/$defs/equation/properties/invariants/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/invariants",schemaPath:"#/$defs/equation/properties/invariants/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data30.preconditions !== undefined){
let data37 = data30.preconditions;
if(Array.isArray(data37)){
const len7 = data37.length;
for(let i7=0; i7<len7; i7++){
if(typeof data37[i7] !== "string"){
const err43 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/preconditions/" + i7,schemaPath:"#/$defs/equation/properties/preconditions/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
else {
const err44 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/preconditions",schemaPath:"#/$defs/equation/properties/preconditions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data30.postconditions !== undefined){
let data39 = data30.postconditions;
if(Array.isArray(data39)){
const len8 = data39.length;
for(let i8=0; i8<len8; i8++){
if(typeof data39[i8] !== "string"){
const err45 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/postconditions/" + i8,schemaPath:"#/$defs/equation/properties/postconditions/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/postconditions",schemaPath:"#/$defs/equation/properties/postconditions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data30.references !== undefined){
let data41 = data30.references;
if(Array.isArray(data41)){
const len9 = data41.length;
for(let i9=0; i9<len9; i9++){
let data42 = data41[i9];
if(typeof data42 === "string"){
if(!pattern4.test(data42)){
const err47 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/references/" + i9,schemaPath:"#/$defs/equation/properties/references/items/pattern",keyword:"pattern",params:{pattern: "\\S"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/references/" + i9,schemaPath:"#/$defs/equation/properties/references/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/references",schemaPath:"#/$defs/equation/properties/references/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data30.lean_theorem !== undefined){
if(typeof data30.lean_theorem !== "string"){
const err50 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/lean_theorem",schemaPath:"#/$defs/equation/properties/lean_theorem/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data30.float_tolerance !== undefined){
let data44 = data30.float_tolerance;
if(((!((typeof data44 == "number") && (isFinite(data44)))) && (!(data44 && typeof data44 == "object" && !Array.isArray(data44)))) && (typeof data44 !== "string")){
const err51 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/float_tolerance",schemaPath:"#/$defs/equation/properties/float_tolerance/type",keyword:"type",params:{type: schema33.properties.float_tolerance.type}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data30.measured !== undefined){
let data45 = data30.measured;
if(((!data45 || typeof data45 != "object") && (typeof data45 !== "string")) && (!((typeof data45 == "number") && (isFinite(data45))))){
const err52 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/measured",schemaPath:"#/$defs/equation/properties/measured/type",keyword:"type",params:{type: schema33.properties.measured.type}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data30.assumes !== undefined){
let data46 = data30.assumes;
if(!(data46 && typeof data46 == "object" && !Array.isArray(data46))){
const err53 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/assumes",schemaPath:"#/$defs/equation/properties/assumes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data30.guarantees !== undefined){
let data47 = data30.guarantees;
if(!(data47 && typeof data47 == "object" && !Array.isArray(data47))){
const err54 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/guarantees",schemaPath:"#/$defs/equation/properties/guarantees/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data30.properties !== undefined){
if(!(Array.isArray(data30.properties))){
const err55 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/properties",schemaPath:"#/$defs/equation/properties/properties/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data30.tolerance_table !== undefined){
let data49 = data30.tolerance_table;
if(!data49 || typeof data49 != "object"){
const err56 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/tolerance_table",schemaPath:"#/$defs/equation/properties/tolerance_table/type",keyword:"type",params:{type: schema33.properties.tolerance_table.type}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
else {
const err57 = {instancePath:instancePath+"/equations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/equation/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/equations",schemaPath:"#/properties/equations/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data.data !== undefined){
if(!(validate21(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
if(data.proof_obligations !== undefined){
let data51 = data.proof_obligations;
if(Array.isArray(data51)){
const len10 = data51.length;
for(let i10=0; i10<len10; i10++){
if(!(validate23(data51[i10], {instancePath:instancePath+"/proof_obligations/" + i10,parentData:data51,parentDataProperty:i10,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
}
}
else {
const err59 = {instancePath:instancePath+"/proof_obligations",schemaPath:"#/properties/proof_obligations/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data.falsification_tests !== undefined){
let data53 = data.falsification_tests;
if(Array.isArray(data53)){
const len11 = data53.length;
for(let i11=0; i11<len11; i11++){
if(!(validate27(data53[i11], {instancePath:instancePath+"/falsification_tests/" + i11,parentData:data53,parentDataProperty:i11,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
}
}
else {
const err60 = {instancePath:instancePath+"/falsification_tests",schemaPath:"#/properties/falsification_tests/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data.kani_harnesses !== undefined){
let data55 = data.kani_harnesses;
if(Array.isArray(data55)){
const len12 = data55.length;
for(let i12=0; i12<len12; i12++){
let data56 = data55[i12];
if(data56 && typeof data56 == "object" && !Array.isArray(data56)){
if(data56.id === undefined){
const err61 = {instancePath:instancePath+"/kani_harnesses/" + i12,schemaPath:"#/$defs/kaniHarness/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(data56.obligation === undefined){
const err62 = {instancePath:instancePath+"/kani_harnesses/" + i12,schemaPath:"#/$defs/kaniHarness/required",keyword:"required",params:{missingProperty: "obligation"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(data56.id !== undefined){
let data57 = data56.id;
if((typeof data57 !== "string") && (!((typeof data57 == "number") && (isFinite(data57))))){
const err63 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/id",schemaPath:"#/$defs/kaniHarness/properties/id/type",keyword:"type",params:{type: schema42.properties.id.type}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data56.obligation !== undefined){
let data58 = data56.obligation;
if((typeof data58 !== "string") && (!((typeof data58 == "number") && (isFinite(data58))))){
const err64 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/obligation",schemaPath:"#/$defs/kaniHarness/properties/obligation/type",keyword:"type",params:{type: schema42.properties.obligation.type}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data56.property !== undefined){
if(typeof data56.property !== "string"){
const err65 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/property",schemaPath:"#/$defs/kaniHarness/properties/property/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data56.description !== undefined){
if(typeof data56.description !== "string"){
const err66 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/description",schemaPath:"#/$defs/kaniHarness/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data56.bound !== undefined){
let data61 = data56.bound;
if(!(((typeof data61 == "number") && (!(data61 % 1) && !isNaN(data61))) && (isFinite(data61)))){
const err67 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/bound",schemaPath:"#/$defs/kaniHarness/properties/bound/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if((typeof data61 == "number") && (isFinite(data61))){
if(data61 < 0 || isNaN(data61)){
const err68 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/bound",schemaPath:"#/$defs/kaniHarness/properties/bound/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
if(data56.sizes !== undefined){
let data62 = data56.sizes;
if(data62 && typeof data62 == "object" && !Array.isArray(data62)){
for(const key1 in data62){
let data63 = data62[key1];
const _errs130 = errors;
let valid35 = false;
const _errs131 = errors;
if(!(((typeof data63 == "number") && (!(data63 % 1) && !isNaN(data63))) && (isFinite(data63)))){
const err69 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/kaniHarness/properties/sizes/additionalProperties/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if((typeof data63 == "number") && (isFinite(data63))){
if(data63 < 1 || isNaN(data63)){
const err70 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/kaniHarness/properties/sizes/additionalProperties/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
var _valid0 = _errs131 === errors;
valid35 = valid35 || _valid0;
const _errs133 = errors;
if(Array.isArray(data63)){
if(data63.length < 1){
const err71 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/kaniHarness/properties/sizes/additionalProperties/anyOf/1/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
const len13 = data63.length;
for(let i13=0; i13<len13; i13++){
let data64 = data63[i13];
if(!(((typeof data64 == "number") && (!(data64 % 1) && !isNaN(data64))) && (isFinite(data64)))){
const err72 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i13,schemaPath:"#/$defs/kaniHarness/properties/sizes/additionalProperties/anyOf/1/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if((typeof data64 == "number") && (isFinite(data64))){
if(data64 < 1 || isNaN(data64)){
const err73 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i13,schemaPath:"#/$defs/kaniHarness/properties/sizes/additionalProperties/anyOf/1/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
}
}
else {
const err74 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/kaniHarness/properties/sizes/additionalProperties/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
var _valid0 = _errs133 === errors;
valid35 = valid35 || _valid0;
if(!valid35){
const err75 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/kaniHarness/properties/sizes/additionalProperties/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
else {
errors = _errs130;
if(vErrors !== null){
if(_errs130){
vErrors.length = _errs130;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err76 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/sizes",schemaPath:"#/$defs/kaniHarness/properties/sizes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data56.assumes !== undefined){
let data65 = data56.assumes;
if(Array.isArray(data65)){
if(data65.length < 1){
const err77 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/assumes",schemaPath:"#/$defs/kaniHarness/properties/assumes/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
const len14 = data65.length;
for(let i14=0; i14<len14; i14++){
if(typeof data65[i14] !== "string"){
const err78 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/assumes/" + i14,schemaPath:"#/$defs/kaniHarness/properties/assumes/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
}
else {
const err79 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/assumes",schemaPath:"#/$defs/kaniHarness/properties/assumes/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data56.strategy !== undefined){
let data67 = data56.strategy;
if(typeof data67 !== "string"){
const err80 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/strategy",schemaPath:"#/$defs/kaniHarness/properties/strategy/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
if(!(((((((data67 === "auto") || (data67 === "stub_float")) || (data67 === "exhaustive")) || (data67 === "bounded_int")) || (data67 === "compositional")) || (data67 === "interval")) || (data67 === "smt"))){
const err81 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/strategy",schemaPath:"#/$defs/kaniHarness/properties/strategy/enum",keyword:"enum",params:{allowedValues: schema42.properties.strategy.enum}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
if(data56.solver !== undefined){
if(typeof data56.solver !== "string"){
const err82 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/solver",schemaPath:"#/$defs/kaniHarness/properties/solver/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data56.harness !== undefined){
if(typeof data56.harness !== "string"){
const err83 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/harness",schemaPath:"#/$defs/kaniHarness/properties/harness/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data56.actually_verified !== undefined){
if(typeof data56.actually_verified !== "boolean"){
const err84 = {instancePath:instancePath+"/kani_harnesses/" + i12+"/actually_verified",schemaPath:"#/$defs/kaniHarness/properties/actually_verified/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
}
else {
const err85 = {instancePath:instancePath+"/kani_harnesses/" + i12,schemaPath:"#/$defs/kaniHarness/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
}
else {
const err86 = {instancePath:instancePath+"/kani_harnesses",schemaPath:"#/properties/kani_harnesses/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
if(data.kernel_structure !== undefined){
if(!(validate30(data.kernel_structure, {instancePath:instancePath+"/kernel_structure",parentData:data,parentDataProperty:"kernel_structure",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate30.errors : vErrors.concat(validate30.errors);
errors = vErrors.length;
}
}
if(data.qa_gate !== undefined){
if(!(validate32(data.qa_gate, {instancePath:instancePath+"/qa_gate",parentData:data,parentDataProperty:"qa_gate",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
}
if(data.simd_dispatch !== undefined){
let data73 = data.simd_dispatch;
if(data73 && typeof data73 == "object" && !Array.isArray(data73)){
for(const key2 in data73){
let data74 = data73[key2];
if(data74 && typeof data74 == "object" && !Array.isArray(data74)){
for(const key3 in data74){
let data75 = data74[key3];
if((typeof data75 !== "string") && (data75 !== null)){
const err87 = {instancePath:instancePath+"/simd_dispatch/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/simd_dispatch/additionalProperties/additionalProperties/type",keyword:"type",params:{type: schema31.properties.simd_dispatch.additionalProperties.additionalProperties.type}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
}
else {
const err88 = {instancePath:instancePath+"/simd_dispatch/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/simd_dispatch/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
}
else {
const err89 = {instancePath:instancePath+"/simd_dispatch",schemaPath:"#/properties/simd_dispatch/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data.enforcement !== undefined){
let data76 = data.enforcement;
if(data76 && typeof data76 == "object" && !Array.isArray(data76)){
for(const key4 in data76){
let data77 = data76[key4];
if(data77 && typeof data77 == "object" && !Array.isArray(data77)){
if(data77.description !== undefined){
if(typeof data77.description !== "string"){
const err90 = {instancePath:instancePath+"/enforcement/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/description",schemaPath:"#/$defs/enforcementRule/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data77.check !== undefined){
if(typeof data77.check !== "string"){
const err91 = {instancePath:instancePath+"/enforcement/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/$defs/enforcementRule/properties/check/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
if(data77.severity !== undefined){
let data80 = data77.severity;
if(typeof data80 !== "string"){
const err92 = {instancePath:instancePath+"/enforcement/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/severity",schemaPath:"#/$defs/enforcementRule/properties/severity/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if(!((((data80 === "ERROR") || (data80 === "WARNING")) || (data80 === "CRITICAL")) || (data80 === "INFO"))){
const err93 = {instancePath:instancePath+"/enforcement/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/severity",schemaPath:"#/$defs/enforcementRule/properties/severity/enum",keyword:"enum",params:{allowedValues: schema47.properties.severity.enum}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data77.reference !== undefined){
if(typeof data77.reference !== "string"){
const err94 = {instancePath:instancePath+"/enforcement/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/reference",schemaPath:"#/$defs/enforcementRule/properties/reference/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
}
else {
const err95 = {instancePath:instancePath+"/enforcement/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/$defs/enforcementRule/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
}
else {
const err96 = {instancePath:instancePath+"/enforcement",schemaPath:"#/properties/enforcement/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
if(data.verification_summary !== undefined){
let data82 = data.verification_summary;
if(data82 && typeof data82 == "object" && !Array.isArray(data82)){
for(const key5 in data82){
let data83 = data82[key5];
if((((typeof data83 != "object") && (!((typeof data83 == "number") && (isFinite(data83))))) && (typeof data83 !== "string")) && (typeof data83 !== "boolean")){
const err97 = {instancePath:instancePath+"/verification_summary/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/verification_summary/additionalProperties/type",keyword:"type",params:{type: schema31.properties.verification_summary.additionalProperties.type}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
}
else {
const err98 = {instancePath:instancePath+"/verification_summary",schemaPath:"#/properties/verification_summary/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
if(data.type_invariants !== undefined){
if(!(Array.isArray(data.type_invariants))){
const err99 = {instancePath:instancePath+"/type_invariants",schemaPath:"#/properties/type_invariants/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
if(data.coq_spec !== undefined){
let data85 = data.coq_spec;
if(!(data85 && typeof data85 == "object" && !Array.isArray(data85))){
const err100 = {instancePath:instancePath+"/coq_spec",schemaPath:"#/properties/coq_spec/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data.beat !== undefined){
let data86 = data.beat;
if(!(data86 && typeof data86 == "object" && !Array.isArray(data86))){
const err101 = {instancePath:instancePath+"/beat",schemaPath:"#/properties/beat/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data.entity !== undefined){
let data87 = data.entity;
if(!(data87 && typeof data87 == "object" && !Array.isArray(data87))){
const err102 = {instancePath:instancePath+"/entity",schemaPath:"#/properties/entity/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
if(data.relations !== undefined){
let data88 = data.relations;
if(!data88 || typeof data88 != "object"){
const err103 = {instancePath:instancePath+"/relations",schemaPath:"#/properties/relations/type",keyword:"type",params:{type: schema31.properties.relations.type}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data.stories !== undefined){
let data89 = data.stories;
if(!data89 || typeof data89 != "object"){
const err104 = {instancePath:instancePath+"/stories",schemaPath:"#/properties/stories/type",keyword:"type",params:{type: schema31.properties.stories.type}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
if(data.binding_registry !== undefined){
let data90 = data.binding_registry;
if((!data90 || typeof data90 != "object") && (typeof data90 !== "string")){
const err105 = {instancePath:instancePath+"/binding_registry",schemaPath:"#/properties/binding_registry/type",keyword:"type",params:{type: schema31.properties.binding_registry.type}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data.non_goals !== undefined){
let data91 = data.non_goals;
if((!(Array.isArray(data91))) && (typeof data91 !== "string")){
const err106 = {instancePath:instancePath+"/non_goals",schemaPath:"#/properties/non_goals/type",keyword:"type",params:{type: schema31.properties.non_goals.type}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
if(data.status !== undefined){
if(typeof data.status !== "string"){
const err107 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
}
else {
const err108 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"metadata":true,"equations":true,"data":true,"proof_obligations":true,"falsification_tests":true,"kani_harnesses":true,"kernel_structure":true,"qa_gate":true,"simd_dispatch":true,"enforcement":true,"verification_summary":true,"type_invariants":true,"coq_spec":true,"beat":true,"entity":true,"relations":true,"stories":true,"binding_registry":true,"non_goals":true,"status":true},"dynamicProps":false,"dynamicItems":false};
