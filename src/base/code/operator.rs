//! Operators on two numbers as instructions, with the shorter forms for a constant right operand.

use super::{Builder, Instr, Reg, reciprocal};

/// An operator that computes a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithmeticOp {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Remainder,
}

impl ArithmeticOp {
    /// How all languages write it.
    pub fn symbol(self) -> &'static str {
        match self {
            ArithmeticOp::Add => "+",
            ArithmeticOp::Subtract => "-",
            ArithmeticOp::Multiply => "*",
            ArithmeticOp::Divide => "/",
            ArithmeticOp::Remainder => "%",
        }
    }

    /// Puts the result for two registers into `dst`.
    pub fn instr(self, dst: Reg, a: Reg, b: Reg) -> Instr {
        match self {
            ArithmeticOp::Add => Instr::Add { dst, a, b },
            ArithmeticOp::Subtract => Instr::Subtract { dst, a, b },
            ArithmeticOp::Multiply => Instr::Multiply { dst, a, b },
            ArithmeticOp::Divide => Instr::Divide { dst, a, b },
            ArithmeticOp::Remainder => Instr::Remainder { dst, a, b },
        }
    }

    /// The same for an integer in `a` and a constant, if there is such an instruction.
    pub fn int_instr(self, builder: &mut Builder, dst: Reg, a: Reg, value: i32) -> Option<Instr> {
        Some(match self {
            ArithmeticOp::Add => Instr::AddInt { dst, a, value },
            ArithmeticOp::Subtract => Instr::SubtractInt { dst, a, value },
            ArithmeticOp::Multiply => Instr::MultiplyInt { dst, a, value },
            ArithmeticOp::Divide if value > 0 => Instr::DivideInt { dst, a, value },
            ArithmeticOp::Remainder if value > 0 => {
                let k = builder.constant(reciprocal(value as u32));
                Instr::RemainderInt { dst, a, k, value }
            }
            ArithmeticOp::Divide | ArithmeticOp::Remainder => return None,
        })
    }
}

/// An operator that compares two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    /// `a < b`
    Less,
    /// `a > b`
    Greater,
    /// `a <= b`
    LessEqual,
    /// `a >= b`
    GreaterEqual,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
}

impl CompareOp {
    /// How most languages write it.
    pub fn symbol(self) -> &'static str {
        match self {
            CompareOp::Less => "<",
            CompareOp::Greater => ">",
            CompareOp::LessEqual => "<=",
            CompareOp::GreaterEqual => ">=",
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
        }
    }

    /// True for `==` and `!=`.
    pub fn is_equality(self) -> bool {
        matches!(self, CompareOp::Equal | CompareOp::NotEqual)
    }

    /// Puts the result for two registers into `dst`.
    pub fn instr(self, dst: Reg, a: Reg, b: Reg) -> Instr {
        match self {
            CompareOp::Less => Instr::Less { dst, a, b },
            CompareOp::Greater => Instr::Less { dst, a: b, b: a },
            CompareOp::LessEqual => Instr::LessEqual { dst, a, b },
            CompareOp::GreaterEqual => Instr::LessEqual { dst, a: b, b: a },
            CompareOp::Equal | CompareOp::NotEqual => Instr::Equal {
                dst,
                a,
                b,
                expected: self == CompareOp::Equal,
            },
        }
    }

    /// A jump that is taken if the comparison is false. Its target is still to be set.
    pub fn jump_unless(self, a: Reg, b: Reg) -> Instr {
        let to = 0;
        match self {
            CompareOp::Less => Instr::JumpUnlessLess { a, b, to },
            CompareOp::Greater => Instr::JumpUnlessLess { a: b, b: a, to },
            CompareOp::LessEqual => Instr::JumpUnlessLessEqual { a, b, to },
            CompareOp::GreaterEqual => Instr::JumpUnlessLessEqual { a: b, b: a, to },
            CompareOp::Equal | CompareOp::NotEqual => Instr::JumpUnlessEqual {
                a,
                b,
                expected: self == CompareOp::Equal,
                to,
            },
        }
    }

    /// The same for an integer in `a` and a constant that is known to be small.
    pub fn jump_unless_small(self, a: Reg, value: i8) -> Instr {
        let instr = self.jump_unless_int(a, value.into());
        instr.unwrap_or(Instr::Jump { to: 0 })
    }

    /// The same for an integer in `a` and a constant, if it is small enough for an instruction.
    pub fn jump_unless_int(self, a: Reg, value: i32) -> Option<Instr> {
        let value = i16::try_from(value).ok()?;
        let (above, below) = (value.checked_add(1), value.checked_sub(1));
        let less = |value| Instr::JumpUnlessLessInt { a, value, to: 0 };
        let greater = |value| Instr::JumpUnlessGreaterInt { a, value, to: 0 };
        match self {
            CompareOp::Less => Some(less(value)),
            CompareOp::LessEqual => above.map(less),
            CompareOp::Greater => Some(greater(value)),
            CompareOp::GreaterEqual => below.map(greater),
            CompareOp::Equal | CompareOp::NotEqual => Some(Instr::JumpUnlessEqualInt {
                a,
                value,
                expected: self == CompareOp::Equal,
                to: 0,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_at_the_end_of_its_range_needs_a_register() {
        let jump = |op: CompareOp, value| op.jump_unless_int(0, value);
        let (min, max) = (i32::from(i16::MIN), i32::from(i16::MAX));
        assert!(jump(CompareOp::Less, max).is_some());
        assert!(jump(CompareOp::LessEqual, max).is_none());
        assert!(jump(CompareOp::GreaterEqual, min).is_none());
        assert!(jump(CompareOp::Equal, max + 1).is_none());
        assert_eq!(
            jump(CompareOp::LessEqual, 3),
            Some(Instr::JumpUnlessLessInt {
                a: 0,
                value: 4,
                to: 0
            })
        );
    }
}
