// SYNTAX TEST "source.cuda-cpp" "PTX in strings of asm"
asm volatile("{ .reg .pred %%p;\n\t}");
//            ^ punctuation.section.block.ptx
//              ^^^^ storage.modifier.state-space.ptx
//                         ^^^ variable.other.register.ptx
//                             ^^^^ constant.character.escape.ptx
asm("ld.global.b32 %0, [%[address]]; // load\n\tmov.u32 %1, %%tid.x;" : "=r"(x) : "l"(ld));
//   ^^ keyword.other.memory.ptx
//     ^^^^^^^ storage.modifier.state-space.ptx
//                 ^^ variable.parameter.operand.ptx
//                      ^^^^^^^^^^ variable.parameter.operand.ptx
//                                   ^^^^^^^ comment.line.double-slash.ptx
//                                              ^^^ keyword.other.data-movement.ptx
//                                                          ^^^^^ variable.language.special-register.ptx
//                                                                       ^^ storage.modifier.constraint.ptx
//                                                                                    ^^ - keyword.other.memory.ptx
