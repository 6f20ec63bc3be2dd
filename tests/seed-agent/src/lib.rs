//! The actions of `tests/data/mosaic/actions.json`, the catalogue that the first seed document
//! prints, as annotated Rust: the export of this crate is compared with that file.

mod number;

use std::cmp::Ordering;
use std::time::Duration;

use bt_core::prelude::*;
use serde_json::Value;

/// 黑板、数值、数组、随机、日志与定时。
#[derive(Debug, Default, Agent)]
#[agent(no_base)]
pub struct SeedAgent {
    /// The lines of the log, oldest first: `level: text`.
    pub log: Vec<String>,
}

impl SeedAgent {
    fn print(&mut self, level: &str, text: &str) -> bool {
        self.log.push(format!("{level}: {text}"));
        true
    }
}

/// Replaces a key's number by the result of an operation with another number.
fn update(cx: &mut Context, key: &str, operation: &number::Operation, value: &Value) -> bool {
    let Some(result) = number::calculate(operation, &cx.get(key), value) else {
        return false;
    };
    cx.set(key, result);
    true
}

/// The array that a key holds.
fn array(cx: &Context, key: &str) -> Option<Vec<Value>> {
    match cx.get(key) {
        Value::Array(items) => Some(items),
        _ => None,
    }
}

/// Draws one of the items; none of no items.
fn draw(cx: &mut Context, items: &mut Vec<Value>, remove: bool) -> Option<Value> {
    let last = items.len().checked_sub(1)?;
    let at = cx.random().int(0..=i64::try_from(last).ok()?);
    let at = usize::try_from(at).ok()?;
    if remove {
        Some(items.remove(at))
    } else {
        items.get(at).cloned()
    }
}

/// Conditions of a tree on its blackboard.
#[agent]
impl SeedAgent {
    /// 判断黑板内是否有特定key
    ///
    /// # Returns
    /// 如果有这个key返回true 否则返回false
    #[action]
    fn has_key(
        cx: &Context,
        /// key的名字
        bb_key: &str,
    ) -> bool {
        cx.has(bb_key)
    }

    /// 判断黑板里特定key是否等于特定值
    ///
    /// # Returns
    /// 如果没有这个key或者这个key的值不等于value 返回false 否则返回true
    #[action]
    fn has_key_value(
        cx: &Context,
        /// 黑板key的名字.
        bb_key: &str,
        /// 要比较的值
        value: Value,
    ) -> bool {
        let held = cx.get(bb_key);
        cx.has(bb_key) && (held == value || number::compare(&held, &value) == Some(Ordering::Equal))
    }

    /// 将黑板里特定key设置为特定值
    #[action]
    fn set_key_value(
        cx: &mut Context,
        /// 设置的黑板的key名字.
        bb_key: &str,
        /// 设置的新的值
        new_value: Value,
    ) {
        cx.set(bb_key, new_value);
    }

    /// 判断特定黑板值是否大于传入的值
    ///
    /// # Returns
    /// 如果黑板不存在 返回false 如果两个相比较的值不都是数值类型 返回false 如果黑板值大于传入的值 返回true 否则返回false
    #[action]
    fn number_larger_than(
        cx: &Context,
        /// 黑板的名字
        bb_key: &str,
        /// 用来比较的值
        other_value: Value,
    ) -> bool {
        number::compare(&cx.get(bb_key), &other_value) == Some(Ordering::Greater)
    }

    /// 判断特定黑板值是否小于传入的值
    ///
    /// # Returns
    /// 如果黑板不存在 返回false 如果两个相比较的值不都是数值类型 返回false 如果黑板值小于传入的值 返回true 否则返回false
    #[action]
    fn number_less_than(
        cx: &Context,
        /// 黑板的名字
        bb_key: &str,
        /// 用来比较的值
        other_value: Value,
    ) -> bool {
        number::compare(&cx.get(bb_key), &other_value) == Some(Ordering::Less)
    }
}

/// Arithmetic on a key's number.
#[agent]
impl SeedAgent {
    /// 将特定黑板值增加一定数值 然后用结果更新次黑板值
    ///
    /// # Returns
    /// 如果黑板key不存在返回false 如果黑板key对应的值不是数值返回false 如果传入的value不是数值类型返回false 操作成功返回true
    #[action]
    fn number_add(
        cx: &mut Context,
        /// 黑板里的特定key
        bb_key: &str,
        /// 用来增加的值 需要为数值类型
        value: Value,
    ) -> bool {
        update(cx, bb_key, &number::ADD, &value)
    }

    /// 将特定黑板值减去一定数值 然后用结果更新次黑板值
    ///
    /// # Returns
    /// 如果黑板key不存在返回false 如果黑板key对应的值不是数值返回false 如果传入的value不是数值类型返回false 操作成功返回true
    #[action]
    fn number_dec(
        cx: &mut Context,
        /// 黑板里的特定key
        bb_key: &str,
        /// 用来减去的值 需要为数值类型
        value: Value,
    ) -> bool {
        update(cx, bb_key, &number::SUBTRACT, &value)
    }

    /// 将特定黑板值乘于一定数值 然后用结果更新次黑板值
    ///
    /// # Returns
    /// 如果黑板key不存在返回false 如果黑板key对应的值不是数值返回false 如果传入的value不是数值类型返回false 操作成功返回true
    #[action]
    fn number_multiply(
        cx: &mut Context,
        /// 黑板里的特定key
        bb_key: &str,
        /// 用来乘以的值 需要为数值类型
        value: Value,
    ) -> bool {
        update(cx, bb_key, &number::MULTIPLY, &value)
    }

    /// 将特定黑板值除以一定数值 然后用结果更新次黑板值
    ///
    /// # Returns
    /// 如果黑板key不存在返回false 如果黑板key对应的值不是数值返回false 如果传入的value不是数值类型返回false 操作成功返回true
    #[action]
    fn number_div(
        cx: &mut Context,
        /// 黑板里的特定key
        bb_key: &str,
        /// 用来除以的值 需要为数值类型
        value: Value,
    ) -> bool {
        update(cx, bb_key, &number::DIVIDE, &value)
    }
}

/// Arrays, and what is drawn from them.
#[agent]
impl SeedAgent {
    /// 获取黑板中数组的大小，存储到目标位置
    ///
    /// # Returns
    /// 如果来源key对应的值不是数组则返回false，否则返回true
    #[action]
    fn get_array_size(
        cx: &mut Context,
        /// 来源的黑板名字
        array_bb_key: String,
        /// 结果存储的黑板名字
        sz_bb_key: String,
    ) -> bool {
        let Some(items) = array(cx, &array_bb_key) else {
            return false;
        };
        cx.set(&sz_bb_key, items.len());
        true
    }

    /// 从指定数据源里选择目标索引的元素存储到特定位置
    ///
    /// # Returns
    /// 如果数据源存在且是array且大小大于idx 返回true 否则返回false
    #[action]
    fn choose_idx(
        cx: &mut Context,
        /// 挑选的索引
        idx: u32,
        /// 数据的来源
        array_bb_key: String,
        /// 结果的存储位置
        dest_bb_key: String,
    ) -> bool {
        let items = array(cx, &array_bb_key).unwrap_or_default();
        let Some(chosen) = items.into_iter().nth(idx as usize) else {
            return false;
        };
        cx.set(&dest_bb_key, chosen);
        true
    }

    /// 在指定vector里随机抽取一个 支持不放回抽样
    ///
    /// # Returns
    /// 如果array_bb_key对应的vec存在且不为空 则返回true 否则返回false
    #[action]
    fn choose_one_random(
        cx: &mut Context,
        /// 要抽取的vector在黑板里的key
        array_bb_key: String,
        /// 抽取的结果放在黑板里的key
        dest_bb_key: String,
        /// 是否是不放回抽样
        remove_chosen: bool,
    ) -> bool {
        let mut items = array(cx, &array_bb_key).unwrap_or_default();
        let Some(chosen) = draw(cx, &mut items, remove_chosen) else {
            return false;
        };
        if remove_chosen {
            cx.set(&array_bb_key, items);
        }
        cx.set(&dest_bb_key, chosen);
        true
    }

    /// 在array_bb_key指定vector里随机抽取固定个数元素 放到黑板的dest_bb_key 支持不放回抽样
    ///
    /// # Returns
    /// 如果array_bb_key对应的vec存在且大小不小于choose_sz则返回true 否则返回false
    #[action]
    fn choose_random(
        cx: &mut Context,
        /// 要抽取的vector在黑板里的key
        array_bb_key: String,
        /// 抽取的结果vec放在黑板里的key
        dest_bb_key: String,
        /// 抽样的结果大小
        #[arg(min = 0)]
        choose_sz: i32,
        /// 是否是不放回抽样
        remove_chosen: bool,
    ) -> bool {
        let Some(mut items) = array(cx, &array_bb_key) else {
            return false;
        };
        let Ok(wanted) = usize::try_from(choose_sz) else {
            return false;
        };
        if items.len() < wanted {
            return false;
        }
        let chosen: Vec<Value> = (0..wanted)
            .filter_map(|_| draw(cx, &mut items, remove_chosen))
            .collect();
        if remove_chosen {
            cx.set(&array_bb_key, items);
        }
        cx.set(&dest_bb_key, chosen);
        true
    }
}

/// The log, and time.
#[agent]
impl SeedAgent {
    /// 打印信息到log
    ///
    /// # Returns
    /// 永远返回true
    #[action]
    fn log_info(
        &mut self,
        /// 打印的等级 可选 debug info error warn
        #[arg(choices = ["debug", "info", "error", "warn"])]
        log_level: &str,
        /// 需要打印的值
        log_info: Value,
    ) -> bool {
        self.print(log_level, &log_info.to_string())
    }

    /// 打印黑板值到log 如果黑板key不存在 则打印key %s not exist
    ///
    /// # Returns
    /// 永远返回true
    #[action]
    fn log_bb(
        &mut self,
        cx: &Context,
        /// 打印的等级 可选debug info warn error.
        #[arg(choices = ["debug", "info", "warn", "error"])]
        log_level: &str,
        /// 需要打印的黑板的key
        bb_key: &str,
    ) -> bool {
        let text = match cx.blackboard().lend(bb_key) {
            Some(value) => value.to_string(),
            None => format!("key {bb_key} not exist"),
        };
        self.print(log_level, &text)
    }

    /// 等待一段时间
    ///
    /// # Returns
    /// 需要异步执行 永远返回true
    #[action]
    fn wait_for_seconds(
        cx: &mut Context,
        /// 等待的秒数 为浮点类型
        #[arg(min = 0.0, unit = "s")]
        duration: f64,
    ) -> Option<bool> {
        // Longer than a `Duration` can say is for ever.
        let wait = Duration::try_from_secs_f64(duration).unwrap_or(Duration::MAX);
        cx.finish_after(wait, true);
        None
    }

    /// 什么都不做
    ///
    /// # Returns
    /// 永远返回true
    #[action]
    fn nop() -> bool {
        true
    }
}
