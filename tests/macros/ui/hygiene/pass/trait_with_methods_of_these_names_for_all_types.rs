#![deny(warnings)]

use ::bt_core::prelude::*;

#[allow(unused)]
trait Greedy: ::core::marker::Sized {
    const BLOCK: u8 = 7;
    const DESC: u8 = 7;
    fn with(self) {}
    fn lend(&self) {}
    fn lend_mut(&mut self) {}
    fn get(self) {}
    fn set(self) {}
    fn exit(self) {}
    fn resume(self) {}
    fn parts(self) {}
    fn at(self) {}
    fn called(self) {}
    fn overriding(self) {}
    fn without_receiver(self) {}
    fn left(self) {}
    fn returned(self) {}
    fn make(self) {}
    fn base(&mut self) {}
    fn action() {}
    fn condition() {}
    fn new() {}
    fn of() {}
    fn chase(&mut self) {}
    fn speed(self) {}
}

impl<T> Greedy for T {}

::core::include!("../everything.rs");
