//! The engine as a WebAssembly module, with plain C exports and no imports.
//!
//! To make a request, call `alloc` with the length of its JSON text in bytes, write the text to the
//! returned address, and call `call`. It returns the address of the answer, and `len` its length in
//! bytes. Both buffers belong to the engine and are valid until the next call of any export.
//!
//! ```text
//! cargo rustc --lib --no-default-features --target wasm32-unknown-unknown --crate-type cdylib
//! ```

use crate::protocol::Connection;
use std::cell::RefCell;

struct Engine {
    connection: Connection,
    request: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine {
        connection: Connection::new(),
        request: Vec::new(),
        answer: Vec::new(),
    });
}

fn with_engine<R>(f: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with(|engine| f(&mut engine.borrow_mut()))
}

/// Makes room for a request of this many bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    with_engine(|engine| {
        engine.request.clear();
        engine.request.resize(length, 0);
        engine.request.as_mut_ptr()
    })
}

/// Handles the request, and returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> *const u8 {
    with_engine(|engine| {
        let request = String::from_utf8_lossy(&engine.request);
        engine.answer = engine.connection.handle(&request).to_string().into_bytes();
        engine.answer.as_ptr()
    })
}

/// The length of the last answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn len() -> usize {
    with_engine(|engine| engine.answer.len())
}
